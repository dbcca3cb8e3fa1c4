/**
 * One statement that does what the same statement would do with each of many sets of parameters,
 * where it has a form for which that is plain. The parameters come as one array for each `?`, so
 * that the text is the same for any number of sets.
 */
import { touching } from './touching-one';

export interface Coalesced {
	readonly text: string;
	/** Rows say in this column which set they belong to, from 1; null where no rows come back. */
	readonly ordinal: string | null;
}

const ORDINAL = '$set';
const INSERT_VALUES =
	/^(INSERT INTO \w+ \([^()]+\))\s+VALUES \(([^()]+)\)(\s+ON CONFLICT \([^()]+\) DO UPDATE SET [^()]+)?$/;
/** Without sub-selects, whose tables could have columns of the same names. */
const UPDATE =
	/^(UPDATE \w+ SET (?:(?!\bWHERE\b|\bSELECT\b|\bFROM\b)[\s\S])+)\s(WHERE (?:(?!\bSELECT\b|\bRETURNING\b)[\s\S])+)$/;

/**
 * A statement that only reads.
 * @param sql with `?` for parameters
 * @param types PostgreSQL's names of the parameters' types
 * @returns undefined when the statement is another one
 */
export function coalesceSelect(sql: string, types: readonly string[]): Coalesced | undefined {
	if (types.length === 0 || !/^SELECT\s/.test(sql)) return undefined;
	// OFFSET 0 keeps the planner from turning the look-ups into a scan of the whole table.
	const text = `SELECT wave.set AS "${ORDINAL}", found.* FROM ${sets(types)}
		CROSS JOIN LATERAL (SELECT * FROM (${named(sql)}) AS one OFFSET 0) AS found`;
	return { text, ordinal: ORDINAL };
}

/**
 * A statement that must touch one row for each set: an INSERT of one row of values, an UPDATE.
 * @param sql with `?` for parameters
 * @param types PostgreSQL's names of the parameters' types
 * @returns undefined when the statement has another form
 */
export function coalesceSent(sql: string, types: readonly string[]): Coalesced | undefined {
	if (types.length === 0) return undefined;
	const insert = INSERT_VALUES.exec(named(sql));
	if (insert) {
		const text = `${insert[1]} SELECT ${insert[2]} FROM ${sets(types)}${insert[3] ?? ''}`;
		return { text, ordinal: null };
	}
	const update = UPDATE.exec(named(sql));
	if (!update) return undefined;
	const all = `${update[1]} FROM ${sets(types)} ${update[2]}`;
	return { text: touching(all, 'cardinality($1)'), ordinal: null };
}

function named(sql: string): string {
	let parameters = 0;
	return sql.replace(/\?/g, () => `wave.p${++parameters}`);
}

function sets(types: readonly string[]): string {
	const columns = types.map((_, index) => `p${index + 1}`).join(', ');
	const arrays = types.map((type, index) => `$${index + 1}::${type}[]`).join(', ');
	return `unnest(${arrays}) WITH ORDINALITY AS wave (${columns}, set)`;
}
