/** Copies what the TypeScript compiler leaves behind: node icons and codex files, and the service's pages and SQL. */
const { dest, parallel, src } = require('gulp');

// `encoding: false` keeps pictures byte for byte; `allowEmpty` because a folder may hold none.
const copy = (globs, from, to) => () =>
	src(globs, { base: from, encoding: false, allowEmpty: true }).pipe(dest(to));

const nodeFiles = copy('nodes/**/*.{png,svg,node.json}', '.', 'dist');
const credentialFiles = copy('credentials/**/*.{png,svg}', '.', 'dist');
const serviceFiles = copy(
	'service/{inbox,store}/**/*.{eta,css,sql,svg}',
	'service',
	'service/dist',
);

nodeFiles.displayName = 'node files';
credentialFiles.displayName = 'credential files';
serviceFiles.displayName = 'service files';

exports.build = parallel(nodeFiles, credentialFiles, serviceFiles);
