#!/usr/bin/env node
// Exists before the build, so that npm can link the command when it installs.
require('../dist/cli.js');
