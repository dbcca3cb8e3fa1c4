#!/usr/bin/env node
/** The command `durable-journal`: starts the service. */
import './main';
