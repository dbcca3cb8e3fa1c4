/** The Approval Gate in a real n8n, as the human review between its AI Agent and its tools. */
import { charge, notify } from './company-tools';
import { openGate } from './gate-workflow';
import { useReviewScene } from './review-scene';
import { reviewed } from './reviewed-agent-workflow';

jest.setTimeout(240_000);

const scene = useReviewScene();
const { create, start, finished, decideNext, gatesOf, told, effects } = scene;

beforeAll(async () => await create('review'));

it('shows the tool and its arguments, and lets the tool run once they are approved', async () => {
	const execution = await start('review', 'G-1', [[reviewed(charge('G-1'))]]);
	const { gateId } = await openGate(scene.journal, 'G-1');
	const { body: gate } = await scene.journal.request('GET', `/v1/gates/${gateId}`);
	expect(gate).toMatchObject({
		title: 'Run the tool "Charge"?',
		message: 'The agent "Agent" wants to run the tool "Charge" with these arguments.',
		meta: { nodeLabel: 'Review', toolCallId: expect.stringMatching(/^call_/) },
	});
	expect(gate.slot).toBeUndefined();
	await decideNext('G-1', { decision: 'approve' });
	await finished(execution);
	expect(await effects('G-1')).toEqual({ '/invoices': 1 });
	expect(told('G-1')).toHaveLength(1);
	expect(JSON.parse(told('G-1')[0]!)[0]).toMatchObject({ state: 'issued', amount: 5 });
});

it.each<[string, object, RegExp]>([
	['reject', { decision: 'reject', comment: 'too dear' }, /REJECTED: .*too dear.*did not run/],
	['changes', { decision: 'changes', comment: 'half of it' }, /CHANGES REQUESTED: .*half of it/],
])('tells the model of "%s" in words, with the comment', async (word, decision, words) => {
	const run = `G-2-${word}`;
	const execution = await start('review', run, [[reviewed(charge(run))]]);
	await decideNext(run, decision);
	await finished(execution);
	expect(told(run)).toEqual([expect.stringMatching(words)]);
	expect(await effects(run)).toEqual({});
});

it('tells the model that a deadline passed', async () => {
	const deadline = { deadlineType: 'after', deadlineAmount: 1, deadlineUnit: 'seconds' };
	await create('deadline', {
		parameters: { ...deadline, onDeadline: 'reject', options: { sharedRunId: true } },
	});
	await finished(await start('deadline', 'G-3', [[reviewed(charge('G-3'))]]));
	expect(told('G-3')).toEqual([expect.stringMatching(/NOT APPROVED IN TIME/)]);
	expect(await effects('G-3')).toEqual({});
});

it('asks about each call of a turn, and tells the model of each', async () => {
	const calls = ['G-4a', 'G-4b', 'G-4c'].map((order) => reviewed(charge(order)));
	const execution = await start('review', 'G-4', [calls, [reviewed(notify('G-4'))]]);
	const gates = [
		await decideNext('G-4', { decision: 'reject', comment: 'not the first' }),
		await decideNext('G-4', { decision: 'approve' }),
		await decideNext('G-4', { decision: 'changes', comment: 'a tenth of it' }),
		await decideNext('G-4', { decision: 'approve' }),
	];
	await finished(execution);
	expect(new Set(gates.map(({ gateId }) => gateId)).size).toBe(4);
	expect(await effects('G-4a')).toEqual({});
	expect(await effects('G-4b')).toEqual({ '/invoices': 1 });
	expect(await effects('G-4c')).toEqual({});
	expect(await effects('G-4')).toEqual({ '/mail/ops': 1 });
	const said = told('G-4');
	expect(said).toHaveLength(4);
	expect(said).toEqual([
		expect.stringMatching(/REJECTED.*not the first/),
		expect.stringMatching(/CHANGES REQUESTED.*a tenth of it/),
		expect.stringContaining('issued'),
		expect.stringContaining('messageId'),
	]);
	expect((await gatesOf('G-4')).map(({ state }) => state).sort()).toEqual([
		'approved',
		'approved',
		'rejected',
		'rejected',
	]);
});

it('asks nobody again about the same call, in this and in other executions of the run', async () => {
	const plan = [[reviewed(charge('G-5'))], [reviewed(charge('G-5b'))]];
	const first = await start('review', 'G-5', plan);
	await decideNext('G-5', { decision: 'reject', comment: 'no' });
	await decideNext('G-5', { decision: 'approve' });
	await finished(first);
	const said = told('G-5');
	const from = scene.model.calls.length;
	await finished(await start('review', 'G-5', plan));
	const ids = /call_\d+/g;
	expect(told('G-5', from).map((text) => text.replace(ids, '').replace(/INV-\d+/, ''))).toEqual(
		said.map((text) => text.replace(ids, '').replace(/INV-\d+/, '')),
	);
	expect(await gatesOf('G-5')).toHaveLength(2);
	expect(await effects('G-5')).toEqual({});
});
