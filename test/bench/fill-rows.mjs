/**
 * Fills a journal's tables with completed steps by SQL, hundreds of times faster than steps one by one.
 * One run that the journal wrote itself is the pattern, so that every column is as the journal has it.
 */
import { createHash } from 'node:crypto';
import Sqlite from 'better-sqlite3';
import { Client } from 'pg';
import { STEPS_OF_A_RUN } from './workload.mjs';

/** Run ids begin with it; the pattern is the first run, `rows-0`. */
export const ROWS = 'rows';
const PATTERNS = { runs: 'id', steps: 'id', slots: 'id', audit_events: undefined };

/**
 * The statements, the same for both stores. Hashes of the audit chain are those of the pattern: nothing
 * that is measured checks them.
 * @param columns of each table, as the pattern has them
 * @param sha256 SQL that gives the lowercase hex SHA-256 of a text
 */
function statements(count, columns, sha256) {
	const copy = (table, from, changed) => {
		const names = columns[table].filter((name) => name !== PATTERNS[table]);
		const values = names.map((name) => changed[name] ?? `pattern.${name}`);
		return `INSERT INTO ${table} (${names.join(', ')}) ${from.with ?? ''} SELECT ${values.join(', ')} FROM ${from.tables}`;
	};
	const number = `(CAST(substr(r.run_id, ${ROWS.length + 2}) AS INTEGER) * ${STEPS_OF_A_RUN} + CAST(substr(pattern.step, 6) AS INTEGER))`;
	const input = `'{"amount":490,"index":' || ${number} || '}'`;
	const identity = `'["durable:v1","' || r.run_id || '","' || pattern.step || '",' || ${input} || ']'`;
	const others = `r.run_id <> '${ROWS}-0'`;
	return [
		copy(
			'runs',
			{
				with: `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${count / STEPS_OF_A_RUN})`,
				tables: 'n CROSS JOIN pattern_runs AS pattern',
			},
			{ run_id: `'${ROWS}-' || n.i` },
		),
		copy(
			'steps',
			{ tables: `runs AS r CROSS JOIN pattern_steps AS pattern WHERE ${others}` },
			{ run_ref: 'r.id', key: sha256(identity), fingerprint: sha256(input), input_json: input },
		),
		copy(
			'slots',
			{
				tables: `steps AS s JOIN runs AS r ON r.id = s.run_ref JOIN pattern_slots AS pattern ON pattern.slot_sha256 = ${sha256('s.slot')}
					WHERE ${others}`,
			},
			{ run_ref: 's.run_ref', step_key: 's.key' },
		),
		copy(
			'audit_events',
			{
				tables: `runs AS r JOIN pattern_audit_events AS pattern ON pattern.subject IS NULL WHERE ${others}`,
			},
			{ run_ref: 'r.id' },
		),
		copy(
			'audit_events',
			{
				tables: `steps AS s JOIN runs AS r ON r.id = s.run_ref JOIN pattern_steps AS p ON p.step = s.step
					JOIN pattern_audit_events AS pattern ON pattern.subject = p.key WHERE ${others}`,
			},
			{ run_ref: 's.run_ref', subject: 's.key' },
		),
	];
}

const makePattern = (table) => `CREATE TEMP TABLE pattern_${table} AS SELECT * FROM ${table}`;

function fillSqlite(file, count) {
	const connection = new Sqlite(file, { fileMustExist: true });
	connection.function('sha256', { deterministic: true }, (text) =>
		createHash('sha256').update(text).digest('hex'),
	);
	// Nobody relies on it yet: it is written to the disk once, at the end.
	connection.pragma('synchronous = OFF');
	connection.pragma('cache_size = -1000000');
	const columns = {};
	for (const table of Object.keys(PATTERNS)) {
		connection.exec(makePattern(table));
		columns[table] = connection.pragma(`table_info(${table})`).map(({ name }) => name);
	}
	connection.transaction(() => {
		for (const sql of statements(count, columns, (text) => `sha256(${text})`)) connection.exec(sql);
	})();
	connection.pragma('synchronous = FULL');
	connection.pragma('wal_checkpoint(TRUNCATE)');
	connection.close();
}

async function fillPostgres(url, count) {
	const client = new Client(url);
	await client.connect();
	const sha256 = (text) => `encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`;
	try {
		await client.query('SET synchronous_commit = off');
		const columns = {};
		for (const table of Object.keys(PATTERNS)) {
			await client.query(makePattern(table));
			const { fields } = await client.query(`SELECT * FROM pattern_${table} LIMIT 0`);
			columns[table] = fields.map(({ name }) => name);
		}
		for (const sql of statements(count, columns, sha256)) await client.query(sql);
		// What autovacuum does within minutes, and the checkpoint that would come in between.
		await client.query('VACUUM ANALYZE');
		await client.query('CHECKPOINT');
	} finally {
		await client.end();
	}
}

/**
 * @param {'sqlite' | 'postgres'} kind
 * @param database JOURNAL_DATABASE of a journal that is not running and holds the run `rows-0` alone,
 *   its ten steps being those of workload.mjs
 * @param count how many steps there shall be; a multiple of ten
 */
export async function fillRows(kind, database, count) {
	if (kind === 'sqlite') fillSqlite(database.slice('sqlite:'.length), count);
	else await fillPostgres(database, count);
}
