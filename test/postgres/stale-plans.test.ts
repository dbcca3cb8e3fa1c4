/** Plans that PostgreSQL made when a table was empty, and keeps while it grows, must not change what is done. */
import { takeDueWaiters } from '../../service/store/gate-waiters';
import { NAMESPACE } from '../../service/store/namespace';
import { takeDueOutbox } from '../../service/store/outbox';
import { PostgresDatabase } from '../../service/store/postgres/postgres-database';
import { removeGates, removeSlots, removeSteps } from '../../service/store/removal';
import type { Queries } from '../../service/store/database';
import { Client } from 'pg';
import { createDatabase } from '../store-under-test';

const ROWS = 300;
const LIMIT = 8;
const RUN = 5;

const FILL = `
	INSERT INTO outbox (namespace, delivery_ref, kind, state, attempts, due_at, created_at)
		SELECT '${NAMESPACE}', i, 'gate', 'pending', 1, i, i FROM generate_series(1, ${ROWS}) i;
	INSERT INTO gate_waiters (gate_ref, resume_url_sha256, resume_url_encrypted, state, attempts, told_at_open, pending_since, next_attempt_at)
		SELECT i, 'x', 'y', 'pending', 1, 0, i, i FROM generate_series(1, ${ROWS}) i;
	INSERT INTO slots (run_ref, slot_sha256, step_key)
		SELECT ${RUN}, i, 'k' FROM generate_series(1, ${ROWS}) i;
	INSERT INTO gates (namespace, run_ref, gate_id, gate, kind, state, shown_sha256, opened_at, on_deadline)
		SELECT '${NAMESPACE}', ${RUN}, i, 'g', 'approval', 'rejected', '', i, 'wait' FROM generate_series(1, ${ROWS}) i;
	INSERT INTO steps (namespace, run_ref, key, step, fingerprint, state, attempt, fencing_token, first_claimed_at,
			budget_attempt, budget_started_at, claimed_at, lease_expires_at, max_attempts, max_elapsed_ms)
		SELECT '${NAMESPACE}', ${RUN}, i, 's', 'f', 'completed', 1, 1, i, 0, i, i, i, 1, 1 FROM generate_series(1, ${ROWS}) i`;

const TAKES: Array<[string, (queries: Queries) => Promise<unknown>, string]> = [
	[
		'messages',
		(queries) => takeDueOutbox(queries, NAMESPACE, LIMIT, 60_000),
		'SELECT count(*) FROM outbox WHERE attempts = 2',
	],
	[
		'wake-ups',
		(queries) => takeDueWaiters(queries, LIMIT, 60_000),
		'SELECT count(*) FROM gate_waiters WHERE attempts = 2',
	],
	['steps', (queries) => removeSteps(queries, RUN, LIMIT), `SELECT ${ROWS} - count(*) FROM steps`],
	['slots', (queries) => removeSlots(queries, RUN, LIMIT), `SELECT ${ROWS} - count(*) FROM slots`],
	[
		'gates',
		(queries) => removeGates(queries, NAMESPACE, RUN, LIMIT),
		`SELECT ${ROWS} - count(*) FROM gates`,
	],
];

test.each(TAKES)('no more %s are taken than are asked for', async (_, take, countTaken) => {
	const { url, drop } = await createDatabase();
	const admin = new Client(url);
	await admin.connect();
	const database = await PostgresDatabase.open(url, { now: () => 1_000_000 });
	try {
		await admin.query('ANALYZE');
		await database.write([], take);
		// In one transaction, so that nothing makes the plan anew before it is used.
		await admin.query(FILL);
		await database.write([], take);
		const { rows } = await admin.query({ text: countTaken, rowMode: 'array' });
		expect(Number(rows[0]![0])).toBe(LIMIT);
	} finally {
		await database.close();
		await admin.end();
		await drop();
	}
});
