/** The main promise: the ten-step example in a real n8n survives `kill -9` without doing anything twice. */
import type { Journal } from '../journal-process';
import { startJournal } from '../journal-process';
import { startStandIns, type StandIns } from '../stand-ins-process';
import { decide, openGate } from './gate-workflow';
import { failureOf, resolveStep, stepsOf } from './idempotent-tool-call-workflow';
import type { Execution } from './n8n/n8n-client';
import { startN8n, type N8n } from './n8n/start-n8n';
import { callOf, durableOf, importExample, order, PATH, STEP_CALLS } from './ten-steps-workflow';

jest.setTimeout(300_000);

let n8n: N8n;
let journal: Journal;
let standIns: StandIns;
let workflowId: string;

beforeAll(async () => {
	[n8n, journal, standIns] = await Promise.all([startN8n(), startJournal(), startStandIns()]);
	workflowId = await importExample(n8n, journal, standIns);
});
afterAll(async () => {
	await n8n?.stop();
	await Promise.all([journal?.stop(), standIns?.stop()]);
});

const runIdOf = (orderId: string) => `${workflowId}:${orderId}`;
const approve = async (orderId: string) => {
	const gate = await openGate(journal, runIdOf(orderId));
	expect(await decide(journal, gate.gateId, 'approve')).toBe(200);
};
/** Runs the example until this step's call hangs at its receiver. */
async function runInto(orderId: string, step: number, when: 'before' | 'after'): Promise<string> {
	await standIns.hold({ ...callOf(step, orderId), ref: orderId, when });
	const id = await n8n.client.run(workflowId, PATH, order(orderId));
	if (step > 6) await approve(orderId);
	return id;
}
const ended = async (id: string): Promise<Execution> =>
	await n8n.client.waitForStatus(id, ['success', 'error'], 90_000);

/** How often each step's effect happened: completed model calls for model steps. */
async function effectsOf(orderId: string): Promise<Record<number, number>> {
	const { effects } = await standIns.counts();
	const own = effects.filter(({ ref }) => ref === orderId);
	return Object.fromEntries(
		Object.keys(STEP_CALLS).map((step) => {
			const { path, contains } = callOf(Number(step), orderId);
			const matching = own.filter(
				(effect) => effect.path === path && (!contains || effect.label.includes(contains)),
			);
			return [step, matching.reduce((sum, { count }) => sum + count, 0)];
		}),
	);
}
const once = Object.fromEntries(Object.keys(STEP_CALLS).map((step) => [step, 1]));
const stepsBeforeNine = Object.entries(STEP_CALLS)
	.filter(([step]) => Number(step) < 9)
	.map(([, { node }]) => node);

describe('killed inside step 9, the summary for the CRM', () => {
	test('the journal: the execution goes on by itself, nothing is repeated', async () => {
		const id = await runInto('journal', 9, 'after');
		await standIns.waitForHeld(1);
		await journal.kill('SIGKILL');
		await standIns.release();
		await journal.restart();
		const execution = await ended(id);
		expect(failureOf(execution).message).toBe('');
		expect(await effectsOf('journal')).toEqual(once);
		expect(durableOf(execution)['9 Summarise for the CRM']).toEqual({
			replayed: false,
			attempt: 1,
		});
	});

	/**
	 * An execution of an order whose gate was decided before: it never waits, so that n8n has nothing
	 * of it on disk and its retry begins at the trigger. The first execution of the order died of a
	 * refused model call.
	 */
	async function runAgainIntoNine(orderId: string): Promise<string> {
		const call = { ...callOf(9, orderId), ref: orderId };
		await standIns.fail({ ...call, status: 400 });
		const refused = await n8n.client.run(workflowId, PATH, order(orderId));
		await approve(orderId);
		expect((await ended(refused)).status).toBe('error');
		await standIns.hold({ ...call, when: 'after' });
		return await n8n.client.run(workflowId, PATH, order(orderId));
	}

	test.each([
		['n8n', ['n8n']],
		['both', ['n8n', 'journal']],
	])('%s: after the retry, steps 1 to 8 are replays', async (orderId, victims) => {
		const id = await runAgainIntoNine(orderId);
		await standIns.waitForHeld(1);
		const processes = [n8n, journal].filter((_, index) =>
			victims.includes(index === 0 ? 'n8n' : 'journal'),
		);
		await Promise.all(processes.map(async (one) => await one.kill('SIGKILL')));
		await standIns.release();
		await Promise.all(processes.map(async (one) => await one.restart()));
		await n8n.client.waitForStatus(id, 'crashed');

		const execution = await ended(await n8n.client.retry(id));
		expect(failureOf(execution).message).toBe('');
		const durable = durableOf(execution);
		for (const node of stepsBeforeNine)
			expect([node, durable[node]]).toEqual([node, { replayed: true, attempt: 1 }]);
		// Refused, killed, answered. The call in flight was paid when n8n died, and is paid once more.
		expect(durable['9 Summarise for the CRM']).toEqual({ replayed: false, attempt: 3 });
		expect(await effectsOf(orderId)).toEqual({ ...once, 9: 2 });
	});

	test('triggered once more, all ten are replays', async () => {
		const execution = await ended(await n8n.client.run(workflowId, PATH, order('journal')));
		const durable = Object.values(durableOf(execution));
		expect(durable.map(({ replayed }) => replayed)).toEqual(Array(9).fill(true));
		expect(await effectsOf('journal')).toEqual(once);
	});
});

describe('one kill of n8n, ten executions, each held in another step', () => {
	const held = Object.keys(STEP_CALLS).map(Number);
	const orderOf = (step: number) => `ten-${step}`;
	const whenOf = (step: number) => (step % 2 === 0 ? 'before' : 'after');
	/** Where the receiver is not idempotent, nobody knows. */
	const inDoubt = held.filter((step) => STEP_CALLS[step]!.found !== undefined);
	const repeatable = held.filter((step) => STEP_CALLS[step]!.found === undefined);
	const last = new Map<number, string>();

	const retryAll = async (steps: number[]) =>
		await Promise.all(
			steps.map(async (step) => {
				last.set(step, await n8n.client.retry(last.get(step)!));
				// Those killed before the gate come to it now.
				return await n8n.client.waitForStatus(
					last.get(step)!,
					['success', 'error', 'waiting'],
					90_000,
				);
			}),
		);

	beforeAll(async () => {
		for (const step of held) last.set(step, await runInto(orderOf(step), step, whenOf(step)));
		last.set(6, await n8n.client.run(workflowId, PATH, order(orderOf(6))));
		await standIns.waitForHeld(held.length);
		await n8n.client.waitForStatus(last.get(6)!, 'waiting');
		await n8n.kill('SIGKILL');
		await standIns.release();
		await n8n.restart();
		for (const step of held) await n8n.client.waitForStatus(last.get(step)!, 'crashed');
		await retryAll(held);
	});

	test('the one at the gate still waits, and goes on when it is approved', async () => {
		await approve(orderOf(6));
		expect((await ended(last.get(6)!)).status).toBe('success');
		expect(await effectsOf(orderOf(6))).toEqual(once);
	});

	test.each(inDoubt)('step %i is in doubt, and says so in one sentence', async (step) => {
		const execution = await ended(last.get(step)!);
		expect(execution.status).toBe('error');
		const { message } = failureOf(execution);
		expect(message).toMatch(/^Step ".+" is in doubt: .+ resolve step [0-9a-f]{64}/);
		expect(message.trim().split('\n')).toHaveLength(1);
		const effects = await effectsOf(orderOf(step));
		expect(effects[step]).toBe(whenOf(step) === 'after' ? 1 : 0);
	});

	test('once a person has looked, all go to the end', async () => {
		for (const step of inDoubt) {
			const doubtful = (await stepsOf(journal, runIdOf(orderOf(step)))).find(
				({ state }) => state === 'in_doubt',
			)!;
			const happened = whenOf(step) === 'after';
			await resolveStep(
				journal,
				doubtful.key,
				happened ? 'completed' : 'retry',
				happened ? STEP_CALLS[step]!.found : undefined,
			);
		}
		await retryAll(inDoubt);
		for (const step of held) if (step < 6) await approve(orderOf(step));
		for (const step of held) {
			const execution = await ended(last.get(step)!);
			expect([step, failureOf(execution).message]).toEqual([step, '']);
		}
	});

	test.each(inDoubt)('order held in step %i: every effect exactly once', async (step) => {
		expect(await effectsOf(orderOf(step))).toEqual(once);
	});

	test.each(repeatable)(
		'order held in step %i: every effect once, the call in flight at most twice',
		async (step) => {
			const { [step]: inFlight, ...others } = await effectsOf(orderOf(step));
			const { [step]: _, ...onceOthers } = once;
			expect(others).toEqual(onceOthers);
			expect(inFlight).toBe(whenOf(step) === 'after' ? 2 : 1);
		},
	);
});
