/**
 * One statement that does what the same statement would do with each of many sets of parameters,
 * where it has a form for which that is plain: a SELECT, an INSERT of one row of values, an UPDATE.
 * The parameters come as one array for each `?`, so that the text is the same for any number of sets.
 */
export interface Coalesced {
	readonly text: string;
	/** Rows say in this column which set they belong to, from 1; null where no rows come back. */
	readonly ordinal: string | null;
}

const ORDINAL = '$set';

/**
 * @param sql with `?` for parameters
 * @param types PostgreSQL's names of the parameters' types
 * @returns undefined when the statement has another form
 */
export function coalesce(sql: string, types: readonly string[]): Coalesced | undefined {
	if (types.length === 0) return undefined;
	const columns = types.map((_, index) => `p${index + 1}`).join(', ');
	const arrays = types.map((type, index) => `$${index + 1}::${type}[]`).join(', ');
	const sets = `unnest(${arrays}) WITH ORDINALITY AS wave (${columns}, set)`;
	let parameters = 0;
	const one = sql.replace(/\?/g, () => `wave.p${++parameters}`);
	if (/^SELECT\s/.test(one))
		return {
			// OFFSET 0 keeps the planner from turning the look-ups into a scan of the whole table.
			text: `SELECT wave.set AS "${ORDINAL}", found.* FROM ${sets}
				CROSS JOIN LATERAL (SELECT * FROM (${one}) AS one OFFSET 0) AS found`,
			ordinal: ORDINAL,
		};
	const insert =
		/^(INSERT INTO \w+ \([^()]+\))\s+VALUES \(([^()]+)\)(\s+ON CONFLICT \([^()]+\) DO UPDATE SET [^()]+)?$/.exec(
			one,
		);
	if (insert)
		return {
			text: `${insert[1]} SELECT ${insert[2]} FROM ${sets}${insert[3] ?? ''}`,
			ordinal: null,
		};
	const update =
		/^(UPDATE \w+ SET (?:(?!\bWHERE\b|\bSELECT\b|\bFROM\b)[\s\S])+)\s(WHERE (?:(?!\bSELECT\b|\bRETURNING\b)[\s\S])+)$/.exec(
			one,
		);
	if (update) return { text: `${update[1]} FROM ${sets} ${update[2]}`, ordinal: null };
	return undefined;
}
