/** The matrix as a page of the documentation. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../../tools/paths.mjs';
import type { Measured } from './scene';

const FILE = join(ROOT, 'docs', 'matrix.md');

const INTRODUCTION = `# What happens to a call

Measured in a real n8n with a real journal (\`test/e2e/matrix/\`), which fails when this table is not what it measures.
In each cell: how often the receiver acted, how many requests it got, the state of the step in the journal, and what the
execution shows. The receiver recognises a key only where it says so. "In doubt" means: nothing is sent again until
somebody settles it. A workflow that failed after it was called is in doubt as a whole, whatever its nodes were answered.
Retry-After is obeyed by HTTP Request; with the error of a tool n8n hands on no headers, so the journal's own pause counts.
`;

const times = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;

export const inWords = ({ effects, requests, state, shows }: Measured): string =>
	`${times(effects, 'effect')}, ${times(requests, 'request')}; ${state}; ${shows}`;

/** @param cells column → row → what was measured */
export function tableOf(
	rows: readonly string[],
	cells: ReadonlyArray<readonly [string, readonly Measured[]]>,
): string {
	const line = (...texts: string[]) => `| ${texts.join(' | ')} |`;
	return [
		INTRODUCTION,
		line('', ...rows),
		line(...['', ...rows].map(() => '---')),
		...cells.map(([column, measured]) => line(column, ...measured.map(inWords))),
		'',
	].join('\n');
}

/** The page as it is committed. With UPDATE_MATRIX=1 it is written anew first. */
export function committedTable(measured: string): string {
	if (process.env.UPDATE_MATRIX === '1') writeFileSync(FILE, measured);
	return existsSync(FILE) ? readFileSync(FILE, 'utf8') : '';
}
