/** Imported first by every entry point: better-sqlite3 13 crashes the process on an older Node.js. */
const REQUIRED_MAJOR = 24;

if (Number(process.versions.node.split('.')[0]) < REQUIRED_MAJOR) {
	process.stderr.write(
		`durable-journal needs Node.js ${REQUIRED_MAJOR} or newer; this is ${process.versions.node}.\n`,
	);
	process.exit(1);
}
