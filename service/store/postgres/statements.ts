import { types, type ClientBase, type QueryResult, type QueryResultRow } from 'pg';
import type { SqlValue } from '../database';
import { explainFailure } from './failures';

interface Prepared {
	readonly name: string;
	readonly text: string;
}

const INT8 = 20;
/** Instants and counters fit a double exactly; without this they would come as text. */
const NUMBERS = {
	getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
		oid === INT8 ? Number : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
};

const prepared = new Map<string, Prepared>();

/** Names each text, so that a connection parses and plans it once. */
function prepare(sql: string): Prepared {
	let statement = prepared.get(sql);
	if (!statement) {
		let parameters = 0;
		const text = sql.replace(/\?/g, () => `$${++parameters}`);
		statement = { name: `s${prepared.size}`, text };
		prepared.set(sql, statement);
	}
	return statement;
}

/**
 * Runs one statement; `?` stands for its parameters. Sent at once: what is asked of the same client
 * meanwhile goes behind it without waiting for its answer.
 * @throws PostgresFailure when the server or the connection is the reason
 */
export async function execute<Row extends QueryResultRow>(
	client: ClientBase,
	sql: string,
	values: ReadonlyArray<SqlValue | readonly SqlValue[]> = [],
): Promise<QueryResult<Row>> {
	const { name, text } = prepare(sql);
	try {
		return await client.query<Row>({ name, text, values: values as unknown[], types: NUMBERS });
	} catch (error) {
		throw explainFailure(error as Error);
	}
}
