/** Reviewed calls of an agent in a real n8n that is killed, and behind the review Idempotent Tools. */
import { charge, notify } from './company-tools';
import { openGate } from './gate-workflow';
import { idempotentTools } from './idempotent-tools-workflow';
import { useReviewScene } from './review-scene';
import { reviewed } from './reviewed-agent-workflow';

jest.setTimeout(240_000);

const scene = useReviewScene();
const { create, start, finished, decideNext, gatesOf, told, effects } = scene;

beforeAll(async () => {
	const between = idempotentTools({ credentials: scene.credentials, tools: [] });
	await create('once', { between });
	await create('plain');
});

it('keeps the decisions over a crash, asks nobody again, and what was done is not done twice', async () => {
	const plan = [
		[reviewed(charge('C-1a')), reviewed(charge('C-1b'))],
		[reviewed(notify('C-1'))],
		[reviewed(charge('C-1c'))],
	];
	await scene.receivers.hold({ path: '/mail/ops', ref: 'C-1', when: 'before' });
	const execution = await start('once', 'C-1', plan);
	await decideNext('C-1', { decision: 'approve' });
	await decideNext('C-1', { decision: 'reject', comment: 'not b' });
	const { gateId } = await openGate(scene.journal, 'C-1');
	await scene.journal.admin('POST', `/v1/gates/${gateId}/decide`, {
		decision: 'approve',
		by: 'Operator',
	});
	await scene.receivers.waitForHeld(1);
	await scene.n8n.kill();
	await scene.receivers.release();
	await scene.n8n.restart();
	await scene.n8n.client.waitForStatus(execution, 'crashed');

	const from = scene.model.calls.length;
	const retry = await scene.n8n.client.retry(execution);
	// Only the call that was not made before.
	await decideNext('C-1', { decision: 'approve' });
	await finished(retry);
	expect(told('C-1', from)).toEqual([
		expect.stringMatching(/REJECTED.*not b/),
		expect.stringContaining('issued'),
		expect.stringMatching(/IN DOUBT/),
		expect.stringContaining('issued'),
	]);
	expect(await gatesOf('C-1')).toHaveLength(4);
	expect(await effects('C-1a')).toEqual({ '/invoices': 1 });
	expect(await effects('C-1b')).toEqual({});
	expect(await effects('C-1c')).toEqual({ '/invoices': 1 });
});

it('waits on over a kill, for each call of a turn, also where people decide meanwhile', async () => {
	const execution = await start('plain', 'C-2', [
		[reviewed(charge('C-2a')), reviewed(charge('C-2b'))],
	]);
	const { gateId } = await openGate(scene.journal, 'C-2');
	await scene.n8n.client.waitForStatus(execution, 'waiting');
	await scene.n8n.kill();
	await scene.journal.admin('POST', `/v1/gates/${gateId}/decide`, {
		decision: 'approve',
		by: 'Operator',
	});
	await scene.n8n.restart();
	await openGate(scene.journal, 'C-2');
	await scene.n8n.client.waitForStatus(execution, 'waiting');
	await scene.n8n.kill();
	await scene.n8n.restart();
	await decideNext('C-2', { decision: 'approve' });
	await finished(execution);
	expect(told('C-2')).toHaveLength(2);
	expect(await effects('C-2a')).toEqual({ '/invoices': 1 });
	expect(await effects('C-2b')).toEqual({ '/invoices': 1 });
});
