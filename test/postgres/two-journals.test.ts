/** Two journal processes on one PostgreSQL: they share steps, waits, timers; killing one loses nothing. */
import { randomBytes } from 'node:crypto';
import { createDatabase } from '../store-under-test';
import { startJournal, type Journal } from '../journal-process';
import { waitUntil } from '../wait-until';

jest.setTimeout(60_000);

let drop: () => Promise<void>;
let journals: Journal[] = [];
beforeAll(async () => {
	const made = await createDatabase();
	drop = made.drop;
	const env = {
		JOURNAL_API_KEY: 'api-key-of-both-journals',
		JOURNAL_ADMIN_KEY: 'admin-key-of-both-journals',
		JOURNAL_SECRET: randomBytes(32).toString('base64url'),
	};
	// Together: both find the schema, or make it in turn.
	journals = await Promise.all(
		[1, 2].map(async () => await startJournal({ database: made.url, env })),
	);
});
afterAll(async () => {
	await Promise.all(journals.map(async (journal) => await journal.stop()));
	await drop?.();
});

const claim = async (journal: Journal, body: object) =>
	await journal.request('POST', '/v1/steps/claim', { runId: 'r', step: 's', input: 1, ...body });

test('of claims at both at once, one executes; the others wait and are given its result', async () => {
	const body = { step: 'shared', waitMs: 20_000 };
	const waiting = Array.from({ length: 20 }, async (_, index) => {
		const journal = journals[index % 2]!;
		const answer = await claim(journal, body);
		if (answer.body.outcome === 'execute')
			await journal.request('POST', `/v1/steps/${answer.body.key}/complete`, {
				fencingToken: answer.body.fencingToken,
				result: index,
			});
		return answer.body;
	});
	const begun = performance.now();
	const answers = await Promise.all(waiting);
	const executed = answers.filter(({ outcome }) => outcome === 'execute');
	const replayed = answers.filter(({ outcome }) => outcome === 'replay');
	expect([executed.length, replayed.length]).toEqual([1, 19]);
	expect(new Set(replayed.map(({ result }) => result)).size).toBe(1);
	// Told by a signal: nobody sat out the time that they would have waited.
	expect(performance.now() - begun).toBeLessThan(15_000);
});

test('steps of one run claimed at both at once leave one audit chain without gaps', async () => {
	const claims = Array.from({ length: 60 }, async (_, index) =>
		claim(journals[index % 2]!, { runId: 'many', step: `s${index}` }),
	);
	for (const { body } of await Promise.all(claims)) expect(body.outcome).toBe('execute');
	const { body } = await journals[0]!.admin('GET', '/v1/audit?runId=many');
	const events = String(body)
		.trim()
		.split('\n')
		.map((line) => JSON.parse(line));
	expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
	expect(events.filter(({ type }) => type === 'run.started')).toHaveLength(1);
	for (const [index, event] of events.entries())
		if (index > 0) expect(event.previousHash).toBe(events[index - 1].hash);
});

test('gates opened at one are settled at their deadline once, whichever fires', async () => {
	const open = async (index: number) =>
		await journals[index % 2]!.request('POST', '/v1/gates', {
			runId: 'gates',
			gate: `g${index}`,
			input: 1,
			title: 'T',
			message: 'M',
			deadline: { in: 'PT1S' },
		});
	const gates = await Promise.all(Array.from({ length: 20 }, async (_, index) => open(index)));
	await waitUntil('all gates to be settled', async () => {
		const states = await Promise.all(
			gates.map(async ({ body }) => {
				const gate = await journals[0]!.request('GET', `/v1/gates/${body.gateId}`);
				return gate.body.state;
			}),
		);
		return states.every((state) => state === 'expired');
	});
	const { body } = await journals[1]!.admin('GET', '/v1/audit?runId=gates');
	const decided = String(body).match(/"type":"gate.decided"/g);
	expect(decided).toHaveLength(20);
});

test('the one that is left goes on when the other is killed, and the lease of the dead is in doubt', async () => {
	const { body } = await claim(journals[0]!, { step: 'held', leaseMs: 1_000 });
	expect(body.outcome).toBe('execute');
	await journals[0]!.kill('SIGKILL');
	await waitUntil('the step to be in doubt', async () => {
		const step = await journals[1]!.request('GET', `/v1/steps/${body.key}`);
		return step.body.state === 'in_doubt';
	});
	const other = await claim(journals[1]!, { step: 'another' });
	expect(other.body.outcome).toBe('execute');
	await journals[0]!.restart();
	const again = await claim(journals[0]!, { step: 'another' });
	expect([again.status, again.body.code]).toEqual([409, 'step_in_progress']);
});

test('of runs that ask at both at once under one guard, one executes', async () => {
	const guard = { key: 'customer 17', withinMs: 86_400_000, onRepeat: 'refuse' };
	const claims = Array.from({ length: 40 }, async (_, index) =>
		claim(journals[index % 2]!, { runId: `guarded ${index}`, guard }),
	);
	const answers = (await Promise.all(claims)).map(({ body }) => body);
	expect(answers.filter(({ outcome }) => outcome === 'execute')).toHaveLength(1);
	expect(answers.filter(({ code }) => code === 'step_in_progress')).toHaveLength(39);
});
