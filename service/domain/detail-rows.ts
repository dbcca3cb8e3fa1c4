import { visibleLine, visibleText } from './visible-text';

/** One line of a readable table: a name, its depth, and the value when it has one. */
export interface DetailRow {
	readonly depth: number;
	/** One line; array members are numbered from 1. */
	readonly name: string;
	/** Absent: the rows below it with a greater depth are its members. */
	readonly value?: string;
}

const MAX_DEPTH = 6;
const MAX_ROWS = 300;

/**
 * Any JSON value as rows, top to bottom, safe to show once escaped. What lies deeper than six
 * levels is shown as JSON in one row; after 300 rows the last one says how many are left out.
 */
export function detailRows(input: unknown): DetailRow[] {
	const rows: DetailRow[] = [];
	if (isBranch(input) && !isPlainList(input)) addMembers(rows, input, 0);
	else if (input !== null && input !== undefined) rows.push(leaf(0, '', input));
	if (rows.length <= MAX_ROWS) return rows;
	const left = rows.length - MAX_ROWS;
	return [...rows.slice(0, MAX_ROWS), { depth: 0, name: '…', value: `${left} more` }];
}

function addMembers(rows: DetailRow[], branch: object, depth: number): void {
	for (const [key, value] of Object.entries(branch)) {
		const name = Array.isArray(branch) ? String(Number(key) + 1) : visibleLine(key);
		if (isBranch(value) && depth < MAX_DEPTH && !isPlainList(value)) {
			rows.push({ depth, name });
			addMembers(rows, value, depth + 1);
		} else rows.push(leaf(depth, name, value));
	}
}

function isBranch(value: unknown): value is object {
	return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

/** A list without structure reads best as lines of one value. */
function isPlainList(value: object): value is unknown[] {
	return Array.isArray(value) && value.every((member) => !isBranch(member));
}

function leaf(depth: number, name: string, value: unknown): DetailRow {
	const lines = typeof value === 'object' && value && isPlainList(value) ? value : [value];
	return { depth, name, value: visibleText(lines.map(textOf).join('\n')) };
}

function textOf(value: unknown): string {
	return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
