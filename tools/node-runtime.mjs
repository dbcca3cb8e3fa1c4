/** Finds the Node.js 24 that the project runs on; the host's own may be older. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Explained } from './explained.mjs';
import { ROOT } from './paths.mjs';

const NEEDED = 24;

const major = (executable) => {
	const { stdout, status } = spawnSync(executable, ['--version'], { encoding: 'utf8' });
	return status === 0 ? Number(/^v(\d+)\./.exec(stdout)?.[1] ?? 0) : 0;
};

/** Node 24 as an npm package; there is none for macOS. */
export function packagedNode() {
	const platform = process.platform === 'win32' ? 'win' : process.platform;
	const folder = join(ROOT, 'node_modules', `node-${platform}-${process.arch}`, 'bin');
	return join(folder, process.platform === 'win32' ? 'node.exe' : 'node');
}

/** Absolute path of a Node.js >= 24. Throws a sentence that says what to install. */
export function nodeRuntime() {
	const packaged = packagedNode();
	// It may be there and still not run: Alpine has another C library.
	if (existsSync(packaged) && major(packaged) >= NEEDED) return packaged;
	if (Number(process.versions.node.split('.')[0]) >= NEEDED) return process.execPath;
	throw new Explained(
		`This project needs Node.js ${NEEDED} or newer; this is ${process.version}, and for ` +
			`${process.platform}-${process.arch} npm offers none. Install it from https://nodejs.org and start again.`,
	);
}

/** The environment in which `node` means that Node.js, for programs that start others. */
export function nodeEnvironment() {
	const separator = process.platform === 'win32' ? ';' : ':';
	const folder = join(nodeRuntime(), '..');
	return { PATH: [folder, process.env.PATH ?? process.env.Path].join(separator) };
}
