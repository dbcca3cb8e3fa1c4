import type { IHttpRequestOptions, INode } from 'n8n-workflow';
import { classifyError } from '../../../nodes/shared/classify-error';
import { createJournalClient } from '../../../nodes/shared/journal-client';
import { JournalError } from '../../../nodes/shared/journal-error';
import { toNodeError } from '../../../nodes/shared/node-error';
import { runStep, type StepOutcome } from '../../../nodes/shared/run-step';
import { StepStopped } from '../../../nodes/shared/step-stopped';
import {
	granted,
	KEY,
	problem,
	replayed,
	scriptedJournal,
	settled,
	type Reply,
} from './scripted-journal';

interface Ran {
	outcome?: StepOutcome<unknown>;
	error?: unknown;
	acted: number;
	verbs: string[];
	requests: IHttpRequestOptions[];
}

/** Runs one step against a script; `acts` are what the action does, one after the other. */
async function run(
	replies: Reply[],
	acts: Array<() => unknown> = [],
	waitMs = 2000,
	onInDoubt?: 'ask',
): Promise<Ran> {
	const { context, requests } = scriptedJournal(replies);
	const client = await createJournalClient(context, { patienceMs: 300 });
	let acted = 0;
	const act = async () => ({ result: acts[acted++]!() });
	const ran: Omit<Ran, 'acted' | 'verbs' | 'requests'> = await runStep(
		client,
		{ runId: 'r', step: 'pay', input: {}, ...(onInDoubt && { onInDoubt }) },
		act,
		{ classify: (error) => classifyError(error, { repeatable: false, now: Date.now() }), waitMs },
	).then(
		(outcome) => ({ outcome }),
		(error: unknown) => ({ error }),
	);
	return { ...ran, acted, verbs: requests.map(({ url }) => url.split('/').at(-1)!), requests };
}

const stop = (ran: Ran) => (ran.error as StepStopped).facts;
const soon = () => new Date(Date.now() + 5).toISOString();
const later = () => new Date(Date.now() + 60_000).toISOString();
const refuse = (status: number) => () => {
	throw Object.assign(new Error(`HTTP ${status}`), { response: { status, headers: {} } });
};

it('acts once and records the result', async () => {
	const ran = await run([granted(), settled('completed')], [() => ({ id: 7 })]);
	expect(ran).toMatchObject({ acted: 1, verbs: ['claim', 'complete'] });
	expect(ran.requests[1]!.body).toEqual({ fencingToken: 1, result: { id: 7 } });
	expect(ran.outcome).toMatchObject({ result: { id: 7 }, key: KEY, attempt: 1, replayed: false });
});

it('replays without acting', async () => {
	const ran = await run([replayed({ id: 7 })]);
	expect(ran).toMatchObject({ acted: 0, verbs: ['claim'] });
	expect(ran.outcome).toMatchObject({ result: { id: 7 }, replayed: true });
});

it('waits for another holder and then replays', async () => {
	const held = problem(409, 'step_in_progress', { retryAfterMs: 1 });
	const ran = await run([held, held, replayed(1)]);
	expect(ran.acted).toBe(0);
	expect(ran.outcome).toMatchObject({ result: 1 });
});

it('stops waiting for another holder when its time is over', async () => {
	const ran = await run([problem(409, 'step_in_progress', { retryAfterMs: 1 })], [], 0);
	expect(ran.error).toMatchObject({ code: 'step_in_progress', step: 'pay' });
});

it('tries again when the journal says so, under the new attempt', async () => {
	const waits = settled('waiting_retry', { nextAttemptAt: soon() });
	const ran = await run(
		[granted(1), waits, granted(2), settled('completed')],
		[refuse(429), () => 'done'],
	);
	expect(ran.verbs).toEqual(['claim', 'fail', 'claim', 'complete']);
	expect(ran.requests[3]!.body).toMatchObject({ fencingToken: 2 });
	expect(ran.outcome).toMatchObject({ result: 'done', attempt: 2 });
});

it('does not wait longer than it may for the next attempt', async () => {
	const waits = settled('waiting_retry', { nextAttemptAt: later() });
	const ran = await run([granted(), waits], [refuse(429)]);
	expect(stop(ran)).toMatchObject({ kind: 'waiting_retry', step: 'pay' });
	expect(ran.acted).toBe(1);
});

it('names a doubt, its key and how to resolve it', async () => {
	const ran = await run([granted(), settled('in_doubt')], [refuse(500)]);
	expect(ran.requests[1]!.body).toMatchObject({ verdict: 'in_doubt', error: { status: 500 } });
	const node = { id: 'n', name: 'Pay', type: 't', parameters: {} };
	const said = toNodeError(node as never, ran.error, 0) as Error & { description: string };
	expect(said.message).toMatch(new RegExp(`Step "pay" is in doubt.*resolve step ${KEY}`));
	expect(said.description).toContain(`http://127.0.0.1:5690/v1/steps/${KEY}/resolve`);
});

it('throws a stored failure without acting', async () => {
	const failed = {
		statusCode: 200,
		body: { outcome: 'failed', key: KEY, attempt: 1, error: { message: 'no such customer' } },
	};
	const ran = await run([failed]);
	expect(ran.acted).toBe(0);
	expect(stop(ran)).toMatchObject({ kind: 'failed', error: { message: 'no such customer' } });
});

it('completes a step whose result is too large, so that it is not falsely in doubt', async () => {
	const ran = await run(
		[granted(), problem(413, 'payload_too_large'), settled('completed')],
		[() => 'x'.repeat(100)],
	);
	expect(ran.verbs).toEqual(['claim', 'complete', 'complete']);
	expect(ran.outcome).toMatchObject({ result: 'x'.repeat(100), omitted: true });
	const substitute = (ran.requests[2]!.body as { result: unknown }).result;
	const again = await run([replayed(substitute)]);
	expect(stop(again)).toMatchObject({ kind: 'result_omitted' });
});

it('does not record a result over that of a newer attempt', async () => {
	const ran = await run([granted(), problem(409, 'lease_lost')], [() => 1]);
	expect(stop(ran)).toMatchObject({ kind: 'overtaken' });
});

it('says that the step ran when its outcome could not be recorded', async () => {
	const ran = await run([granted(), problem(401, 'unauthorized')], [() => 1]);
	expect(ran.error).toBeInstanceOf(JournalError);
	expect(ran.error).toMatchObject({ acted: true, step: 'pay' });
});

it('acts on nothing when the journal cannot be asked', async () => {
	const ran = await run([Object.assign(new Error('x'), { code: 'ECONNREFUSED' })]);
	expect(ran.acted).toBe(0);
	expect(ran.error).toMatchObject({ code: 'unreachable', acted: false });
});

describe('people are asked about a doubt', () => {
	const asked = () => problem(409, 'step_in_doubt', { key: KEY, gateId: 'g' });

	it('waits for their answer, also about what it has just done itself', async () => {
		const replies = [granted(), settled('in_doubt'), asked(), asked(), replayed({ id: 7 })];
		const ran = await run(replies, [refuse(500)], 5_000, 'ask');
		expect(ran).toMatchObject({ acted: 1, verbs: ['claim', 'fail', 'claim', 'claim', 'claim'] });
		expect(ran.outcome).toMatchObject({ result: { id: 7 }, replayed: true });
	});

	it('acts again where they say that it did not happen', async () => {
		const replies = [granted(), settled('in_doubt'), granted(2), settled('completed')];
		const ran = await run(replies, [refuse(500), () => ({ id: 8 })], 5_000, 'ask');
		expect(ran).toMatchObject({ acted: 2, outcome: { result: { id: 8 }, replayed: false } });
	});

	it.each([
		['met', [asked()], 0],
		['made here, without time to wait', [granted(), settled('in_doubt'), asked()], 1],
	])('says where to answer a doubt that was %s when nobody has', async (_what, replies, acted) => {
		const ran = await run(replies, [refuse(500)], 0, 'ask');
		expect(ran).toMatchObject({ acted, error: { code: 'step_in_doubt' } });
		const node = { id: 'n', name: 'Pay' } as INode;
		expect(toNodeError(node, ran.error, 0).message).toMatch(/nobody has answered yet.*\/inbox/);
	});

	it('is told by whom it was stopped', async () => {
		const failed = { outcome: 'failed', key: KEY, attempt: 1 } as const;
		const error = { message: 'Resolved as failed: no', code: 'resolved_failed' };
		const ran = await run([{ statusCode: 200, body: { ...failed, error } }], [], 0, 'ask');
		const node = { id: 'n', name: 'Pay' } as INode;
		expect(toNodeError(node, ran.error, 0).message).toMatch(/stopped by a person.*"retry"/);
	});
});
