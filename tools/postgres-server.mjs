/** A PostgreSQL server of its own for tests and the bench: loopback, a temporary folder, durable as in production. */
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Explained } from './explained.mjs';
import { postgresBin } from './ensure-postgres.mjs';
import { anyFreePort } from './ports.mjs';

const START_MS = 30_000;

/** PostgreSQL refuses to run as root: there it runs as the account that its package made. */
function account() {
	if (process.getuid?.() !== 0) return {};
	const idOf = (flag) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);
	const [uid, gid] = [idOf('-u'), idOf('-g')];
	if (!uid) throw new Explained('Run as root, PostgreSQL needs an account named postgres.');
	return { uid, gid };
}

/**
 * @param {{ settings?: Record<string, string>, parent?: string }} [options] settings of postgresql.conf on top of
 *   the defaults; parent: where its folder is made
 * @returns a server that is ready; `url(name)` names a database of it, `createDatabase(name)` makes one
 */
export async function startPostgres({ settings = {}, parent = tmpdir() } = {}) {
	const bin = postgresBin();
	if (!bin) throw new Explained('PostgreSQL is not installed: no initdb found.');
	const as = account();
	const folder = mkdtempSync(join(parent, 'durable-postgres-'));
	const data = join(folder, 'data');
	chmodSync(folder, 0o700);
	if (as.uid) chownSync(folder, as.uid, as.gid);
	const run = (program, args) => {
		const { status, stdout, stderr } = spawnSync(join(bin, program), args, {
			...as,
			cwd: folder,
			encoding: 'utf8',
		});
		if (status !== 0) throw new Error(`${program} failed: ${stderr || stdout}`);
		return stdout;
	};
	run('initdb', ['-D', data, '-U', 'journal', '-A', 'trust', '-E', 'UTF8', '--no-locale']);
	const port = await anyFreePort();
	const host = '127.0.0.1';
	const url = (name) => `postgres://journal@${host}:${port}/${name}`;
	const sql = (statement, name = 'postgres') =>
		run('psql', [
			'-X',
			'-q',
			'-t',
			'-A',
			'-v',
			'ON_ERROR_STOP=1',
			'-d',
			url(name),
			'-c',
			statement,
		]);

	let child;
	async function start() {
		const options = { ...settings, listen_addresses: host, port, unix_socket_directories: folder };
		const args = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
		child = spawn(join(bin, 'postgres'), ['-D', data, ...args], {
			...as,
			cwd: folder,
			stdio: ['ignore', 'ignore', 'ignore'],
		});
		const isReady = () =>
			spawnSync(join(bin, 'pg_isready'), ['-q', '-d', url('postgres')]).status === 0;
		for (const end = Date.now() + START_MS; !isReady();) {
			if (child.exitCode !== null || Date.now() > end) throw new Error('PostgreSQL did not start');
			await new Promise((resolve) => setTimeout(resolve, 50));
		}
	}
	/** @param signal SIGINT: fast shutdown; SIGQUIT: as in a crash, it recovers at the next start */
	async function end(signal = 'SIGINT') {
		if (!child || child.exitCode !== null || child.signalCode !== null) return;
		const ended = new Promise((resolve) => child.once('exit', resolve));
		child.kill(signal);
		await ended;
	}
	const remove = () => rmSync(folder, { recursive: true, force: true });
	// A test run that ends early must leave no server behind.
	const killAtExit = () => {
		child?.kill('SIGQUIT');
		remove();
	};
	process.once('exit', killAtExit);
	try {
		await start();
	} catch (error) {
		remove();
		throw error;
	}
	return {
		host,
		port,
		url,
		sql,
		createDatabase(name) {
			sql(`CREATE DATABASE ${name}`);
			return url(name);
		},
		start,
		end,
		async stop() {
			process.removeListener('exit', killAtExit);
			await end();
			remove();
		},
	};
}
