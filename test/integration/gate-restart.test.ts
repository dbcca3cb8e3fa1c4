import { startJournal, type Journal } from '../journal-process';
import { startResumeUrls, type ResumeUrls } from '../stand-ins/resume-urls';
import { waitUntil } from '../wait-until';

const GATE = { runId: 'order-1', gate: 'approve', input: 1, title: 'Invoice', message: 'm' };

let journal: Journal;
let n8n: ResumeUrls;
beforeEach(async () => {
	n8n = await startResumeUrls(() => 'resumed');
	journal = await startJournal();
});
afterEach(async () => {
	await journal.stop();
	await n8n.close();
});

const open = async (members: object = {}): Promise<string> => {
	const resumeUrl = `http://127.0.0.1:${n8n.port}/webhook-waiting/7/gate?signature=s`;
	const answer = await journal.request('POST', '/v1/gates', { ...GATE, resumeUrl, ...members });
	expect(answer.status).toBe(201);
	return answer.body.gateId;
};
const read = async (gateId: string) => (await journal.request('GET', `/v1/gates/${gateId}`)).body;
const woken = async (gateId: string) =>
	await waitUntil('the wake-up', async () => (await read(gateId)).wake?.state === 'done');

test('a deadline settles within two seconds, by the real clock', async () => {
	const gateId = await open({ deadline: { in: 'PT1S' }, onDeadline: 'approve' });
	await woken(gateId);
	const { state, decision, deadline } = await read(gateId);
	expect(state).toBe('approved');
	const late = Date.parse(decision.at) - Date.parse(deadline);
	expect(late).toBeGreaterThanOrEqual(0);
	expect(late).toBeLessThan(2_000);
});

test('a deadline that passes while the journal is dead fires after the restart', async () => {
	const gateId = await open({ deadline: { in: 'PT1S' } });
	const { deadline } = await read(gateId);
	await journal.kill('SIGKILL');
	await waitUntil('the deadline to pass', () => Date.now() > Date.parse(deadline));
	expect(n8n.calls).toHaveLength(0);
	await journal.restart();
	await woken(gateId);
	expect(await read(gateId)).toMatchObject({ state: 'expired', decision: { via: 'deadline' } });
	expect(n8n.calls.map(({ body }) => body)).toEqual([{ gateId }]);
});

test('a decision that was acknowledged survives a kill at once after it, and wakes', async () => {
	const gateId = await open();
	const decided = await journal.admin('POST', `/v1/gates/${gateId}/decide`, {
		decision: 'approve',
		by: 'operator',
	});
	expect(decided.status).toBe(200);
	await journal.kill('SIGKILL');
	await journal.restart();
	expect(await read(gateId)).toMatchObject({ state: 'approved', decision: { by: 'operator' } });
	await waitUntil('the wake-up', () => n8n.calls.length > 0);
	expect(n8n.calls[0]).toMatchObject({ body: { gateId } });
});
