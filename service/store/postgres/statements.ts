import { types, type ClientBase, type QueryResult, type QueryResultRow } from 'pg';
import type { SqlValue } from '../database';
import { explainFailure } from './failures';

interface Prepared {
	readonly name: string;
	readonly text: string;
	/** PostgreSQL's names of the types of its parameters; known some time after its first use. */
	types: readonly string[] | 'asked' | undefined;
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
		statement = { name: `s${prepared.size}`, text, types: undefined };
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

const TYPES = 'SELECT parameter_types::text[] AS types FROM pg_prepared_statements WHERE name = $1';

/**
 * The types of a statement's parameters, as the server inferred them.
 * @returns undefined when they are not known yet: then they are asked for on this connection, behind
 *   whatever is sent now
 */
export function parameterTypes(client: ClientBase, sql: string): readonly string[] | undefined {
	const statement = prepare(sql);
	if (statement.types === undefined) {
		statement.types = 'asked';
		setImmediate(async () => {
			const rows = await client.query<{ types: string[] }>(TYPES, [statement.name]).then(
				(result) => result.rows,
				() => [],
			);
			statement.types = rows[0]?.types;
		});
	}
	return statement.types === 'asked' ? undefined : statement.types;
}
