import type { ClaimAnswer } from '../../../service/contract/steps';
import { ClaimWindow } from '../../../nodes/shared/claim-window';
import type { JournalClient, Outcome } from '../../../nodes/shared/journal-client';
import { JournalError } from '../../../nodes/shared/journal-error';

const executes = (key: string): ClaimAnswer => ({
	...{ outcome: 'execute', key, attempt: 1, fencingToken: 1 },
	leaseExpiresAt: '2030-01-01T00:00:00.000Z',
});
const refused = (code: string, status: number, more: object = {}) =>
	new JournalError({
		...{ code: code as 'step_in_doubt', status, origin: 'o', retryable: false },
		problem: { type: 't', title: 't', status, code: code as 'step_in_doubt', detail: 'd', ...more },
	});

/** A journal that writes down how it was asked. */
function journal(many: (steps: string[]) => Array<Outcome<ClaimAnswer>>) {
	const asked: string[] = [];
	const client = {
		claim: async ({ step, waitMs }: { step: string; waitMs?: number }) => {
			asked.push(`claim ${step} ${waitMs ?? 0}`);
			return executes(step);
		},
		claimMany: async (requests: Array<{ step: string }>) => {
			const steps = requests.map(({ step }) => step);
			asked.push(`many ${steps.join(' ')}`);
			return many(steps);
		},
	} as unknown as JournalClient;
	return { client, asked };
}
const all = (steps: string[]) =>
	steps.map((step): Outcome<ClaimAnswer> => ({ ok: true, value: executes(step) }));
const request = (step: string) => ({ runId: 'r', step, input: 1, waitMs: 7 });

it('sends the claims of all places in one request when the last has come', async () => {
	const { client, asked } = journal(all);
	const window = new ClaimWindow(3);
	const [a, b, c] = [window.enter(), window.enter(), window.enter()];
	const claims = [a, b].map((place, index) => place.client(client).claim(request('ab'[index]!)));
	expect(asked).toEqual([]);
	claims.push(c.client(client).claim(request('c')));
	expect(await Promise.all(claims)).toEqual(['a', 'b', 'c'].map(executes));
	expect(asked).toEqual(['many a b c']);
});

it('does not wait for a place that was left, and a second claim goes alone', async () => {
	const { client, asked } = journal(all);
	const window = new ClaimWindow(3);
	const [a, b, c] = [window.enter(), window.enter(), window.enter()];
	b.leave();
	const claims = [a, c].map((place, index) => place.client(client).claim(request('ac'[index]!)));
	await Promise.all(claims);
	await a.client(client).claim(request('again'));
	for (const place of [a, b, c]) place.leave();
	expect(asked).toEqual(['many a c', 'claim again 7']);
});

it('one alone is an ordinary claim, which can wait', async () => {
	const { client, asked } = journal(all);
	await new ClaimWindow(1).enter().client(client).claim(request('a'));
	expect(asked).toEqual(['claim a 7']);
});

it('each gets its own refusal; who is held is asked for again alone', async () => {
	const { client, asked } = journal(() => [
		{ ok: false, error: refused('step_in_doubt', 409) },
		{ ok: false, error: refused('step_in_progress', 409) },
		{ ok: false, error: refused('step_in_progress', 409, { sameAs: 1 }) },
	]);
	const window = new ClaimWindow(3);
	const claims = ['a', 'b', 'c'].map((step) => window.enter().client(client).claim(request(step)));
	const [a, b, c] = await Promise.allSettled(claims);
	expect(a).toMatchObject({ status: 'rejected', reason: { code: 'step_in_doubt' } });
	expect([b, c]).toMatchObject([{ status: 'fulfilled' }, { status: 'fulfilled' }]);
	// A neighbour of the same window is waited for, however short the patience with strangers is.
	expect(asked).toEqual(['many a b c', 'claim b 7', 'claim c 30000']);
});

it('what is too much together is asked for one by one; other failures are everybody’s', async () => {
	const fail = (error: Error) => () => {
		throw error;
	};
	const tooMuch = journal(fail(refused('payload_too_large', 413)));
	const window = new ClaimWindow(2);
	await Promise.all(
		['a', 'b'].map((step) => window.enter().client(tooMuch.client).claim(request(step))),
	);
	expect(tooMuch.asked).toEqual(['many a b', 'claim a 7', 'claim b 7']);

	const away = journal(fail(refused('unreachable', 503)));
	const other = new ClaimWindow(2);
	const claims = ['a', 'b'].map((step) => other.enter().client(away.client).claim(request(step)));
	for (const outcome of await Promise.allSettled(claims))
		expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'unreachable' } });
	expect(away.asked).toEqual(['many a b']);
});
