import type { Found } from '../../../nodes/shared/look-up';
import { createJournalClient } from '../../../nodes/shared/journal-client';
import { runStep } from '../../../nodes/shared/run-step';
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

const looking = (fencingToken = 2): Reply => ({
	statusCode: 200,
	body: {
		outcome: 'verify',
		key: KEY,
		attempt: 1,
		fencingToken,
		leaseExpiresAt: '2027-06-01T09:01:00.000Z',
	},
});
const due = settled('waiting_retry', { nextAttemptAt: '2027-01-01T00:00:00.000Z' });
const yes: Found = { happened: true, result: { id: 7 } };
const no: Found = { happened: false, why: 'found nothing' };
const unknown: Found = { happened: undefined, why: 'HTTP 503' };

/** Runs a step in doubt against a script; `looks` are what the look-up finds, one after the other. */
async function run(replies: Reply[], looks: Array<Found | Error>) {
	const { context, requests } = scriptedJournal(replies);
	const client = await createJournalClient(context, { patienceMs: 300 });
	let looked = 0;
	let acted = 0;
	const ran = await runStep(
		client,
		{ runId: 'r', step: 'pay', input: {}, onInDoubt: 'verify' },
		async () => ({ result: ++acted }),
		{
			classify: () => ({ verdict: 'in_doubt', message: 'reset' }),
			waitMs: 2_000,
			lookUp: async () => {
				const found = looks[looked++]!;
				if (found instanceof Error) throw found;
				return found;
			},
		},
	).then(
		(outcome) => ({ outcome }),
		(error: unknown) => ({ error: error as StepStopped }),
	);
	const told = requests.map(({ url, body }) => ({ verb: url.split('/').at(-1), body }));
	return { ...ran, looked, acted, told, verbs: told.map(({ verb }) => verb) };
}

it('it happened: records what was found, and takes it as any replay', async () => {
	const ran = await run([looking(), settled('completed'), replayed({ id: 7 })], [yes]);
	expect(ran).toMatchObject({ looked: 1, acted: 0, verbs: ['claim', 'complete', 'claim'] });
	expect(ran.told[1]!.body).toEqual({ fencingToken: 2, result: { id: 7 } });
	expect(ran).toMatchObject({ outcome: { result: { id: 7 }, replayed: true } });
});

it('it did not: claims again, and acts', async () => {
	const ran = await run([looking(), due, granted(2), settled('completed')], [no]);
	expect(ran).toMatchObject({ looked: 1, acted: 1, verbs: ['claim', 'fail', 'claim', 'complete'] });
	expect(ran.told[1]!.body).toMatchObject({ fencingToken: 2, verdict: 'retryable' });
});

it.each<[string, Found | Error, string]>([
	['nobody knows', unknown, 'HTTP 503'],
	['the look-up fails', new Error('no route'), 'The look-up failed: no route'],
])('%s: stops in doubt, with the reason, and does not act', async (_, found, why) => {
	const ran = await run([looking(), settled('in_doubt')], [found]);
	expect(ran).toMatchObject({ looked: 1, acted: 0, verbs: ['claim', 'fail'] });
	expect(ran.told[1]!.body).toMatchObject({ verdict: 'in_doubt', error: { message: why } });
	expect(ran).toMatchObject({ error: { facts: { kind: 'in_doubt', error: { message: why } } } });
});

it.each<[string, Found]>([
	['yes', yes],
	['no', no],
	['nobody knows', unknown],
])('%s, but the executor came back meanwhile: takes what it did', async (_, found) => {
	const lost = problem(409, 'lease_lost');
	const ran = await run([looking(), lost, replayed({ id: 8 })], [found]);
	expect(ran).toMatchObject({ acted: 0, outcome: { result: { id: 8 }, replayed: true } });
});

it('its attempts are used up: stops as failed', async () => {
	const ran = await run([looking(), settled('failed')], [no]);
	expect(ran).toMatchObject({ acted: 0, error: { facts: { kind: 'failed' } } });
});

it('its own call came to be in doubt: looks that up, too', async () => {
	const { context, requests } = scriptedJournal([
		granted(),
		settled('in_doubt'),
		looking(),
		settled('completed'),
		replayed({ id: 7 }),
	]);
	const client = await createJournalClient(context);
	const outcome = await runStep(
		client,
		{ runId: 'r', step: 'pay', input: {}, onInDoubt: 'verify' },
		async () => {
			throw new Error('reset');
		},
		{
			classify: () => ({ verdict: 'in_doubt', message: 'reset' }),
			waitMs: 2_000,
			lookUp: async () => yes,
		},
	);
	expect(outcome).toMatchObject({ result: { id: 7 }, replayed: true });
	expect(requests.map(({ url }) => url.split('/').at(-1))).toEqual([
		'claim',
		'fail',
		'claim',
		'complete',
		'claim',
	]);
});

it('waits until it may look', async () => {
	const lookAt = new Date(Date.now() + 50).toISOString();
	const early = problem(409, 'step_in_doubt', { lookAt, retryAfterMs: 50 });
	const ran = await run([early, looking(), settled('completed'), replayed({ id: 7 })], [yes]);
	expect(ran).toMatchObject({ looked: 1, verbs: ['claim', 'claim', 'complete', 'claim'] });
});

it('a wait that is too long stops in doubt at once', async () => {
	const lookAt = new Date(Date.now() + 60_000).toISOString();
	const ran = await run([problem(409, 'step_in_doubt', { lookAt })], []);
	expect(ran).toMatchObject({ looked: 0, verbs: ['claim'], error: { code: 'step_in_doubt' } });
});

it('without a way to look nothing is claimed', async () => {
	const { context, requests } = scriptedJournal([looking()]);
	const client = await createJournalClient(context);
	const request = { runId: 'r', step: 'pay', input: {}, onInDoubt: 'verify' as const };
	const running = runStep(client, request, async () => ({ result: 1 }), {
		classify: () => ({ verdict: 'in_doubt', message: 'reset' }),
		waitMs: 0,
	});
	await expect(running).rejects.toThrow(/^On Doubt: Look It Up is not possible here/);
	expect(requests).toEqual([]);
});
