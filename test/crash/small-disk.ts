/** A real disk of a few megabytes that can be filled, freed, and made read-only: needs root, on Linux. */
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Whether this process may mount one. */
export const canMount = process.platform === 'linux' && process.getuid?.() === 0;

export interface SmallDisk {
	/** A folder on it. */
	readonly folder: string;
	/** Writes until nothing more fits. */
	fill(): void;
	/** Removes what `fill` wrote. */
	free(): void;
	makeReadOnly(): void;
	remove(): void;
}

export function mountSmallDisk(megabytes: number): SmallDisk {
	const folder = mkdtempSync(join(tmpdir(), 'durable-disk-'));
	const ballast = join(folder, 'ballast');
	execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]);
	return {
		folder,
		fill() {
			const file = openSync(ballast, 'a');
			try {
				// The last pages one by one, so that not even one is left.
				for (const size of [65_536, 4_096]) writeUntilFull(file, Buffer.alloc(size));
			} finally {
				closeSync(file);
			}
		},
		free: () => rmSync(ballast, { force: true }),
		makeReadOnly: () => void execFileSync('mount', ['-o', 'remount,ro', folder]),
		remove() {
			execFileSync('umount', ['-l', folder]);
			rmSync(folder, { recursive: true });
		},
	};
}

function writeUntilFull(file: number, block: Buffer): void {
	for (;;) {
		try {
			writeSync(file, block);
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return;
			throw error;
		}
	}
}
