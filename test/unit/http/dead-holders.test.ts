/** A live lease whose execution n8n has seen end: the step is in doubt at once. */
import type { EndedExecution } from '../../../service/domain/ended-execution';
import { openApi, type Api } from '../../api';

let api: Api;
/** What n8n says, and what happens while it is asked. */
let said: string | undefined;
let meanwhile: () => Promise<unknown>;
const asked: unknown[][] = [];

beforeEach(async () => {
	said = 'crashed';
	meanwhile = async () => {};
	asked.length = 0;
	const endedExecution: EndedExecution = async (...about) => {
		asked.push(about);
		await meanwhile();
		return said;
	};
	api = await openApi({ endedExecution });
});
afterEach(async () => await api.close());

const claim = async (executionId: string | undefined, more: object = {}) =>
	(
		await api.post('/v1/steps/claim', {
			runId: 'r',
			step: 's',
			input: 1,
			...(executionId && { meta: { executionId, workflowId: 'w' } }),
			...more,
		})
	).body;
const complete = async ({ key, fencingToken }: { key: string; fencingToken: number }) =>
	await api.post(`/v1/steps/${key}/complete`, { fencingToken, result: 'done' });

test('its holder crashed: in doubt long before its lease ends, with the reason', async () => {
	const { key } = await claim('7');
	expect(asked).toEqual([]);
	expect((await claim('8')).code).toBe('step_in_doubt');
	expect(asked).toEqual([['7', 'w']]);
	expect((await api.call('GET', `/v1/steps/${key}`)).body).toMatchObject({
		state: 'in_doubt',
		settledBy: 'n8n',
		error: { code: 'execution_crashed', message: expect.stringContaining('execution 7') },
	});
});

test('and what is to be done about doubt is done at once', async () => {
	await claim('7');
	expect(await claim('8', { onInDoubt: 'retry' })).toMatchObject({
		outcome: 'execute',
		attempt: 2,
	});
});

test('n8n was wrong, and the holder goes on: its result is taken', async () => {
	const holder = await claim('7');
	await claim('8');
	expect((await complete(holder)).body).toEqual({ state: 'completed' });
	expect(await claim('8')).toMatchObject({ outcome: 'replay', result: 'done' });
});

test('n8n was wrong, and somebody was allowed to begin anew: the holder is fenced off', async () => {
	const holder = await claim('7');
	await claim('8', { onInDoubt: 'retry' });
	expect((await complete(holder)).body.code).toBe('lease_lost');
});

test('n8n was wrong, and the holder had lost only its answer: it executes, and nothing is said of a crash', async () => {
	const holder = await claim('7', { claimId: 'c' });
	await claim('8');
	expect(await claim('7', { claimId: 'c' })).toMatchObject({
		outcome: 'execute',
		fencingToken: holder.fencingToken,
	});
	const step = (await api.call('GET', `/v1/steps/${holder.key}`)).body;
	expect(step.state).toBe('claimed');
	expect(step.error).toBeUndefined();
});

test.each([
	['it runs, or nobody can tell', '8', () => void (said = undefined)],
	['the same execution asks', '7', () => {}],
])('%s: in progress as ever', async (_, executionId, before) => {
	await claim('7');
	before();
	expect((await claim(executionId)).code).toBe('step_in_progress');
});

test('a holder that is not known is not asked about', async () => {
	await claim(undefined);
	expect((await claim('8')).code).toBe('step_in_progress');
	expect(asked).toEqual([]);
});

test('a step that nobody holds is not asked about', async () => {
	await complete(await claim('7'));
	await claim('8');
	expect(asked).toEqual([]);
});

describe('what n8n says counts only for the lease that it was asked about', () => {
	test('renewed meanwhile: it lives', async () => {
		const { key, fencingToken } = await claim('7');
		meanwhile = async () => {
			api.clock.advance(1);
			await api.post(`/v1/steps/${key}/renew`, { fencingToken, leaseMs: 60_000 });
		};
		expect((await claim('8')).code).toBe('step_in_progress');
	});

	test('completed meanwhile', async () => {
		const holder = await claim('7');
		meanwhile = async () => await complete(holder);
		await claim('8');
		expect(await claim('8')).toMatchObject({ outcome: 'replay', result: 'done' });
	});

	test('taken over meanwhile', async () => {
		await claim('7');
		meanwhile = async () => {
			meanwhile = async () => {};
			api.clock.advance(60_000);
			await claim('9', { onInDoubt: 'retry' });
		};
		expect((await claim('8')).code).toBe('step_in_progress');
		expect(await claim('9')).toMatchObject({ code: 'step_in_progress' });
	});
});
