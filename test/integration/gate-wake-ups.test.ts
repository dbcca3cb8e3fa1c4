import { Writable } from 'node:stream';
import { pino } from 'pino';
import { deadlineInstant } from '../../service/domain/deadline';
import { GATES_DECIDED, TIMERS_SET } from '../../service/journal/topics';
import { takeDueWakeUps } from '../../service/journal/wake-up';
import { createResume, type ResumeOptions } from '../../service/n8n/resume';
import { runTimers } from '../../service/workers/timers';
import { runWakeUps } from '../../service/workers/wake-ups';
import { openApi, type Api } from '../api';
import { startResumeUrls, type ResumeAnswer, type ResumeUrls } from '../stand-ins/resume-urls';
import { waitUntil } from '../wait-until';

const MINUTE = 60_000;
const GATE = { runId: 'order-1', gate: 'approve', title: 'Invoice', message: 'm' };

let api: Api;
let n8n: ResumeUrls | undefined;
let workers: { stop(): Promise<void> } | undefined;
let logged: string;

beforeEach(async () => {
	logged = '';
	api = await openApi();
});
afterEach(async () => {
	await workers?.stop();
	workers = undefined;
	await n8n?.close();
	n8n = undefined;
	await api.close();
});

const answerWith = async (...answers: ResumeAnswer[]) => {
	n8n = await startResumeUrls((_, index) => answers[Math.min(index, answers.length - 1)]!);
};

function startWorkers(options: Partial<ResumeOptions> = {}): void {
	const stopping = new AbortController();
	const sink = new Writable({
		write(chunk, _encoding, done) {
			logged += String(chunk);
			done();
		},
	});
	const log = pino(sink);
	const resume = createResume({ base: undefined, ...options });
	const running = Promise.all([
		runTimers(api.journal, api.clock.now, log, stopping.signal),
		runWakeUps(api.journal, resume, api.clock.now, log, stopping.signal),
	]);
	workers = {
		async stop() {
			stopping.abort();
			await running;
		},
	};
}

const resumeUrl = (execution: number | string = 7) =>
	`http://127.0.0.1:${n8n!.port}/webhook-waiting/${execution}/gate?signature=s3cr3t`;
const open = async (input: unknown = 1, members: object = {}) => {
	const body = { ...GATE, input, resumeUrl: resumeUrl(), ...members };
	return (await api.post('/v1/gates', body)).body.gateId as string;
};
const decide = async (gateId: string) =>
	await api.admin('POST', `/v1/gates/${gateId}/decide`, { decision: 'approve', by: 'operator' });
const wakeOf = async (gateId: string) => (await api.call('GET', `/v1/gates/${gateId}`)).body.wake;
/** Lets the fake clock pass until the wake-up is where it should be. */
const wakeReaches = async (gateId: string, expected: object, stepMs = 30_000) =>
	await waitUntil(
		`wake-up ${JSON.stringify(expected)}`,
		async () => {
			const wake = await wakeOf(gateId);
			const there = Object.entries(expected).every(([name, value]) => wake?.[name] === value);
			if (!there && n8n!.open === 0) {
				api.clock.advance(stepMs);
				api.journal.signals.notify(GATES_DECIDED);
			}
			return there;
		},
		{ everyMs: 5 },
	);

test('nobody is called before the decision, and at once after it', async () => {
	await answerWith('resumed');
	startWorkers();
	const gateId = await open();
	expect(await wakeOf(gateId)).toBeNull();
	expect(n8n!.calls).toHaveLength(0);
	await decide(gateId);
	await waitUntil('the wake-up', async () => (await wakeOf(gateId)).state === 'done');
	expect(await wakeOf(gateId)).toEqual({ state: 'done', attempts: 1, lastStatus: 200 });
	expect(n8n!.calls).toEqual([
		expect.objectContaining({
			method: 'POST',
			url: '/webhook-waiting/7/gate?signature=s3cr3t',
			body: { gateId },
		}),
	]);
	expect(n8n!.calls[0]!.headers.connection).toBe('close');
});

test('is tried until n8n takes it, whatever it answers meanwhile', async () => {
	await answerWith(
		'running',
		'broken',
		'reset',
		'tooMany',
		'unavailable',
		'page',
		'stillOpen',
		'redirect',
		'resumed',
	);
	startWorkers();
	const gateId = await open();
	await decide(gateId);
	await wakeReaches(gateId, { state: 'done', attempts: 9, lastStatus: 200 });
	expect(n8n!.calls.every(({ url }) => url.startsWith('/webhook-waiting/7/'))).toBe(true);
});

test('after a running execution the next try comes within 0.2 s', async () => {
	await answerWith('running', 'resumed');
	startWorkers();
	const gateId = await open();
	await decide(gateId);
	await waitUntil('the first try', async () => (await wakeOf(gateId))?.lastStatus === 409);
	api.clock.advance(200);
	api.journal.signals.notify(GATES_DECIDED);
	await waitUntil('the second', async () => (await wakeOf(gateId)).state === 'done');
});

test('another gate waiting there is an answer too', async () => {
	await answerWith('stale');
	startWorkers();
	const gateId = await open();
	await decide(gateId);
	await wakeReaches(gateId, { state: 'done' });
});

test.each<ResumeAnswer>(['deleted', 'unauthorized', 'finished', 'failed'])(
	'%s for ten minutes is gone, and not before',
	async (answer) => {
		await answerWith(answer);
		startWorkers();
		const gateId = await open();
		await decide(gateId);
		const started = api.clock.ms;
		await waitUntil('the first try', async () => (await wakeOf(gateId))?.lastStatus !== null);
		await wakeReaches(gateId, { state: 'gone' });
		expect(api.clock.ms - started).toBeGreaterThanOrEqual(10 * MINUTE);
		expect(api.clock.ms - started).toBeLessThan(12 * MINUTE);
		const calls = n8n!.calls.length;
		expect(calls).toBeGreaterThan(10);
		api.clock.advance(60 * MINUTE);
		api.journal.signals.notify(GATES_DECIDED);
		// A later gate is woken, so the worker has looked; the gone one is not called again.
		const other = await open(2, { resumeUrl: resumeUrl(8) });
		await decide(other);
		await waitUntil('the other', async () => (await wakeOf(other))?.attempts === 1);
		expect(n8n!.calls.filter(({ url }) => url.includes('/7/'))).toHaveLength(calls);
	},
);

test('n8n that is down is tried for days', async () => {
	await answerWith('resumed');
	const gateId = await open();
	await n8n!.close();
	startWorkers();
	await decide(gateId);
	await waitUntil('a failed try', async () => (await wakeOf(gateId))?.attempts >= 1);
	n8n = undefined;
	for (let day = 0; day < 3; day++) {
		const before = (await wakeOf(gateId)).attempts;
		await waitUntil('another try', async () => {
			api.clock.advance(86_400_000);
			api.journal.signals.notify(GATES_DECIDED);
			return (await wakeOf(gateId)).attempts > before;
		});
		expect(await wakeOf(gateId)).toMatchObject({ state: 'pending', lastStatus: null });
	}
});

test('a public API that knows the execution is believed before the text', async () => {
	await answerWith('running');
	startWorkers({ executionStatus: async (id) => (id === '7' ? 'finished' : undefined) });
	const gateId = await open();
	await decide(gateId);
	await waitUntil('the first try', async () => (await wakeOf(gateId))?.lastStatus === 409);
	await wakeReaches(gateId, { state: 'gone' });
});

test('every resume URL is woken, once each, also one that comes after the decision', async () => {
	await answerWith('resumed');
	startWorkers();
	const gateId = await open();
	await open();
	await open(1, { resumeUrl: resumeUrl(8) });
	await decide(gateId);
	await open(1, { resumeUrl: resumeUrl(9) });
	await waitUntil('three wake-ups', () => n8n!.calls.length >= 3);
	const wakes = async () => (await api.call('GET', `/v1/gates/${gateId}`)).body.wakes;
	await waitUntil('all done', async () =>
		(await wakes()).every(({ state }: { state: string }) => state === 'done'),
	);
	expect(n8n!.calls.map(({ url }) => url.split('/')[2]).toSorted()).toEqual(['7', '8', '9']);
});

test('superseded and cancelled gates wake who waits for them', async () => {
	await answerWith('resumed');
	startWorkers();
	const old = await open(1, { slot: 's' });
	const current = await open(2, { slot: 's', resumeUrl: resumeUrl(8) });
	await wakeReaches(old, { state: 'done' });
	await api.admin('POST', '/v1/runs/order-1/cancel', { reason: 'r', by: 'b' });
	await wakeReaches(current, { state: 'done' });
});

test('the base of the resume URL can be replaced', async () => {
	await answerWith('resumed');
	startWorkers({ base: `http://127.0.0.1:${n8n!.port}/inner` });
	const gateId = await open(1, {
		resumeUrl: 'https://wrong.example/webhook-waiting/7?signature=x',
	});
	await decide(gateId);
	await wakeReaches(gateId, { state: 'done' });
	expect(n8n!.calls[0]!.url).toBe('/inner/webhook-waiting/7?signature=x');
});

test('n8n that does not answer is given up on in time, and few are called at once', async () => {
	await answerWith('silence');
	startWorkers({ timeoutMs: 300 });
	const gates = await Promise.all(
		Array.from(
			{ length: 30 },
			async (_, index) => await open(index, { resumeUrl: resumeUrl(index) }),
		),
	);
	await Promise.all(gates.map(async (gateId) => await decide(gateId)));
	await waitUntil('all tried', () => n8n!.calls.length >= 30);
	expect(n8n!.mostOpen).toBeLessThanOrEqual(8);
});

test('a wake-up under way when the journal stops is taken up after the restart', async () => {
	await answerWith('silence', 'resumed');
	startWorkers();
	const gateId = await open();
	await decide(gateId);
	await waitUntil('the call', () => n8n!.calls.length === 1);
	await workers!.stop();
	startWorkers();
	await wakeReaches(gateId, { state: 'done', attempts: 2 });
});

test('a wake-up that a killed journal had in hand is made at once after the restart', async () => {
	await answerWith('resumed');
	const gateId = await open();
	await decide(gateId);
	expect(await takeDueWakeUps(api.journal, 8)).toHaveLength(1);
	startWorkers();
	await waitUntil('the wake-up', async () => (await wakeOf(gateId)).state === 'done');
	expect(n8n!.calls).toHaveLength(1);
});

test('deadlines that passed while the journal was down fire at its start and wake', async () => {
	await answerWith('resumed');
	const gateId = await open(1, { deadline: { in: 'PT1H' }, onDeadline: 'approve' });
	api.clock.advance(7_200_000);
	startWorkers();
	await waitUntil('the wake-up', async () => (await wakeOf(gateId))?.state === 'done');
	const { body } = await api.call('GET', `/v1/gates/${gateId}`);
	expect(body).toMatchObject({
		state: 'approved',
		decision: { via: 'deadline', at: '2027-03-01T12:00:00.000Z' },
	});
});

test('100 waiting gates hold no connection and no timer each, and settle together', async () => {
	await answerWith('resumed');
	startWorkers();
	const timersOf = () =>
		process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
	const before = timersOf();
	const deadline = { on: '2027-03-01T11:00:00Z' };
	const gates = await Promise.all(
		Array.from(
			{ length: 100 },
			async (_, index) => await open(index, { deadline, resumeUrl: resumeUrl(index) }),
		),
	);
	expect(n8n!.open).toBe(0);
	expect(timersOf()).toBeLessThan(before + 20);
	api.clock.ms = deadlineInstant(deadline, api.clock.ms) as number;
	api.journal.signals.notify(TIMERS_SET);
	await waitUntil('all woken', () => n8n!.calls.length === 100);
	expect(new Set(n8n!.calls.map(({ body }) => (body as { gateId: string }).gateId))).toEqual(
		new Set(gates),
	);
});

test('the resume URL stands neither in the database nor in the log', async () => {
	await answerWith('reset', 'deleted', 'resumed');
	startWorkers();
	const gateId = await open();
	await decide(gateId);
	await wakeReaches(gateId, { state: 'done' });
	expect(logged).toContain(gateId);
	expect(logged).not.toContain('s3cr3t');
	for (const table of ['gates', 'gate_waiters', 'payloads', 'audit_events']) {
		const rows = await api.journal.database.read(
			async (queries) => await queries.all(`SELECT * FROM ${table}`),
		);
		expect(JSON.stringify(rows)).not.toContain('s3cr3t');
		expect(JSON.stringify(rows)).not.toContain('webhook-waiting');
	}
});

test('with another JOURNAL_SECRET the wake-up is gone, and says so', async () => {
	await answerWith('resumed');
	const gateId = await open();
	await decide(gateId);
	Object.assign(api.journal, { secret: Buffer.from('another secret of the tests') });
	startWorkers();
	await waitUntil('gone', async () => (await wakeOf(gateId)).state === 'gone');
	expect(n8n!.calls).toHaveLength(0);
});
