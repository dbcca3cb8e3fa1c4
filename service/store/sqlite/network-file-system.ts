import { statfsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Magic numbers of statfs(2) for file systems on which WAL's shared memory does not work. */
const NETWORK_FILE_SYSTEMS = new Map([
	[0x6969, 'NFS'],
	[0x517b, 'SMB'],
	[0xff534d42, 'CIFS'],
	[0xfe534d42, 'SMB2'],
	[0x00c36400, 'Ceph'],
	[0x5346414f, 'AFS'],
]);

/** The name of a network file system by its statfs type; FUSE is not among them, it carries local ones too. */
export function networkFileSystemName(type: number): string | undefined {
	return NETWORK_FILE_SYSTEMS.get(type >>> 0);
}

/**
 * SQLite's WAL needs shared memory between processes, which network file systems do not give
 * (https://www.sqlite.org/wal.html, section 2): commits would be lost without an error.
 * @throws when `file` would lie on one of them
 */
export function refuseNetworkFileSystem(file: string): void {
	const folder = dirname(resolve(file));
	const name = networkFileSystemName(statfsSync(folder).type);
	if (name)
		throw new Error(
			`${folder} is on a network file system (${name}), where SQLite's WAL loses data: put JOURNAL_DATABASE on a local disk.`,
		);
}
