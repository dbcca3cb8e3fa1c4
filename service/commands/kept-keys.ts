import { constants, copyFileSync, chmodSync, existsSync, readFileSync } from 'node:fs';
import { KEPT_SUFFIXES } from '../config';

/** One of the files beside a database that hold a key or the secret that was made at random. */
export interface KeptKey {
	readonly suffix: string;
	readonly from: string;
	readonly to: string;
}

/** The kept keys beside one database, and where they belong beside another. */
export function keptKeys(from: string, to: string): KeptKey[] {
	return Object.values(KEPT_SUFFIXES)
		.map((suffix) => ({ suffix, from: `${from}.${suffix}`, to: `${to}.${suffix}` }))
		.filter((key) => existsSync(key.from));
}

/** Whether the place holds this very key already. */
export function isThere({ from, to }: KeptKey): boolean {
	return existsSync(to) && readFileSync(to, 'utf8').trim() === readFileSync(from, 'utf8').trim();
}

/** @throws when something is there */
export function copyKey({ from, to }: KeptKey): void {
	copyFileSync(from, to, constants.COPYFILE_EXCL);
	chmodSync(to, 0o600);
}
