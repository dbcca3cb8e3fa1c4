/** Compiles nodes and service, only when a source changed. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { nodeEnvironment } from './node-runtime.mjs';
import { ROOT } from './paths.mjs';
import { runNpm } from './run-command.mjs';

const SOURCES = ['nodes', 'credentials', 'service'];
const SETTINGS = [
	'package-lock.json',
	'package.json',
	'tsconfig.json',
	'tsconfig.base.json',
	'gulpfile.js',
];
const NOT_SOURCES = new Set(['dist', 'node_modules', 'data']);
const STAMP = join(ROOT, 'dist', '.built-from');

function* filesUnder(folder) {
	for (const entry of readdirSync(folder, { withFileTypes: true })) {
		if (NOT_SOURCES.has(entry.name)) continue;
		const path = join(folder, entry.name);
		if (entry.isDirectory()) yield* filesUnder(path);
		else yield path;
	}
}

/** Changes when any source is added, removed or written. */
function fingerprint() {
	const files = SOURCES.flatMap((folder) => [...filesUnder(join(ROOT, folder))]);
	const lines = files.concat(SETTINGS.map((name) => join(ROOT, name))).map((file) => {
		const { size, mtimeMs } = statSync(file);
		return `${relative(ROOT, file)} ${size} ${mtimeMs}`;
	});
	return createHash('sha256').update(lines.sort().join('\n')).digest('hex');
}

export async function ensureBuild() {
	const now = fingerprint();
	if (
		existsSync(STAMP) &&
		readFileSync(STAMP, 'utf8') === now &&
		existsSync(join(ROOT, 'service', 'dist', 'main.js'))
	)
		return;
	await runNpm('Building', ['run', '--silent', 'build'], {
		cwd: ROOT,
		env: nodeEnvironment(),
		quiet: true,
	});
	writeFileSync(STAMP, now);
}
