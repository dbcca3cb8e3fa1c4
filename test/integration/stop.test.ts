/** A stop waits for what is under way, and for nobody who only waits. */
import { startJournal, type Journal } from '../journal-process';
import { waitUntil } from '../wait-until';

jest.setTimeout(60_000);

let journal: Journal;
beforeAll(async () => {
	journal = await startJournal();
});
afterAll(async () => await journal?.stop());

test('claims that wait for another caller are told to come again when the service stops', async () => {
	const claim = async (waitMs: number) =>
		await journal.request('POST', '/v1/steps/claim', {
			runId: 'r',
			step: 's',
			input: 1,
			leaseMs: 60_000,
			...(waitMs > 0 && { waitMs }),
		});
	expect((await claim(0)).body.outcome).toBe('execute');
	let answered = 0;
	const waiting = Array.from({ length: 5 }, async () => {
		const answer = await claim(30_000);
		answered += 1;
		return answer;
	});
	const connections = async () => {
		const { body } = await journal.request('GET', '/metrics');
		return Number(/nodejs_active_resources\{type="TCPSocketWrap"\} (\d+)/.exec(body)?.[1]);
	};
	// Twice: what was accepted before the first answer has been read before the second.
	for (let times = 0; times < 2; times++)
		await waitUntil('the claims to wait', async () => (await connections()) > waiting.length);
	expect(answered).toBe(0);
	await journal.kill('SIGTERM');
	for (const { status, body, headers } of await Promise.all(waiting)) {
		expect([status, body.code]).toEqual([503, 'store_busy']);
		expect(body.detail).toContain('stopping');
		expect(headers['retry-after']).toBeDefined();
	}
	expect(journal.log()).not.toContain('the stop failed');
	await journal.restart();
	expect((await claim(0)).body.code).toBe('step_in_progress');
});
