/** Finds PostgreSQL's programs for the tests and the bench; installs Debian's where that is possible. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from './run-command.mjs';

const DEBIAN = '/usr/lib/postgresql';
const OTHER_PLACES = [
	'/usr/local/pgsql/bin',
	'/opt/homebrew/opt/postgresql/bin',
	'/usr/local/opt/postgresql/bin',
	'/usr/bin',
];

function debianPlaces() {
	if (!existsSync(DEBIAN)) return [];
	return readdirSync(DEBIAN)
		.toSorted((a, b) => Number(b) - Number(a))
		.map((version) => join(DEBIAN, version, 'bin'));
}

/** Folder of initdb and postgres, by POSTGRES_BIN or in the usual places; undefined if there is none. */
export const postgresBin = () =>
	[process.env.POSTGRES_BIN, ...debianPlaces(), ...OTHER_PLACES].find(
		(folder) => folder && existsSync(join(folder, 'initdb')),
	);

export async function ensurePostgres() {
	if (postgresBin()) return;
	if (existsSync('/usr/bin/apt-get') && process.getuid?.() === 0) {
		const env = { DEBIAN_FRONTEND: 'noninteractive' };
		await runCommand('Updating the package lists', 'apt-get', ['update'], { quiet: true });
		// Without a cluster that starts by itself: the tests make their own.
		await runCommand(
			'Installing PostgreSQL (for the tests of the second store)',
			'apt-get',
			['install', '-y', '--no-install-recommends', 'postgresql'],
			{ quiet: true, env },
		);
		return;
	}
	console.log(
		'No PostgreSQL found: the tests of that store will fail. Install PostgreSQL 13 or newer, or set POSTGRES_BIN to the folder of initdb.',
	);
}
