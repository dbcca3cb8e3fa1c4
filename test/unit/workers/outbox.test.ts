import type { Deliver, OutboxMessage } from '../../../service/journal/outbox-message';
import { openGate } from '../../../service/journal/open-gate';
import { decideGate } from '../../../service/journal/decide-gate';
import { reclaimMessages, takeDueMessages } from '../../../service/journal/record-delivery';
import { recordWakeUp, takeDueWakeUps } from '../../../service/journal/wake-up';
import { sendDueMessages } from '../../../service/workers/outbox';
import { fakeJournal, type FakeJournal } from '../../fake-journal';

let fake: FakeJournal;
beforeEach(() => {
	fake = fakeJournal();
});
afterEach(async () => await fake.close());

const MINUTE_MS = 60_000;
const log = { info() {}, warn() {}, error() {} };
const running = new AbortController().signal;
const open = async (members: object = {}): Promise<string> => {
	const { answer } = await openGate(fake.journal, {
		runId: 'order-1',
		gate: 'approve',
		input: 1,
		title: 'T',
		message: 'm',
		channels: ['telegram'],
		...members,
	});
	return answer.gateId;
};
const decide = async (gateId: string) =>
	await decideGate(fake.journal, {
		gateId,
		decision: 'approve',
		claimant: { via: 'api', by: 'Operator' },
	});
const signal = (): [Promise<void>, () => void] => {
	const { promise, resolve } = Promise.withResolvers<void>();
	return [promise, resolve];
};
const sent: OutboxMessage[] = [];
beforeEach(() => {
	sent.length = 0;
});
const deliver: Deliver = async (message) => {
	sent.push(message);
	return { kind: 'sent', messageId: `m${sent.length}`, target: { to: '1' } };
};
const send = async (how: Deliver = deliver) =>
	await sendDueMessages(fake.journal, how, log, running);

test('two workers at once send each of thirty messages once', async () => {
	for (let i = 0; i < 30; i++) await open({ gate: `gate ${i}` });
	await Promise.all([send(), send()]);
	expect(sent).toHaveLength(30);
	expect(new Set(sent.map(({ shortId }) => shortId)).size).toBe(30);
	expect(await send()).toBeUndefined();
});

test('the outcome edits the message that was sent, and waits for it', async () => {
	const gateId = await open();
	const [begun, begin] = signal();
	const [released, release] = signal();
	const sending = send(async (message) => {
		begin();
		await released;
		return await deliver(message, running);
	});
	await begun;
	await decide(gateId);
	expect(await send()).toBe(fake.clock.now() + MINUTE_MS);
	expect(sent).toHaveLength(0);
	release();
	await sending;
	await send();
	expect(sent.map(({ kind, messageId }) => [kind, messageId])).toEqual([
		['gate', undefined],
		['outcome', 'm1'],
	]);
	expect(sent[1]!.gate.state).toBe('approved');
});

test('a gate that is decided before it was shown is not shown at all', async () => {
	await decide(await open());
	await send();
	expect(sent).toHaveLength(0);
	expect(await send()).toBeUndefined();
});

test('what a dead process took is taken again: after a minute, or at once at the start', async () => {
	await open();
	expect((await takeDueMessages(fake.journal, 8)).taken).toBe(1);
	expect(await send()).toBe(fake.clock.now() + MINUTE_MS);
	expect(sent).toHaveLength(0);
	await reclaimMessages(fake.journal);
	await send();
	expect(sent).toHaveLength(1);
	await open({ gate: 'second' });
	await takeDueMessages(fake.journal, 8);
	fake.clock.advance(MINUTE_MS);
	await send();
	expect(sent).toHaveLength(2);
});

test('the start leaves a message alone that Telegram asked to be held back', async () => {
	await open();
	const dueAt = await send(async () => ({ kind: 'again', code: 'x', retryAfterMs: MINUTE_MS }));
	expect(dueAt).toBe(fake.clock.now() + MINUTE_MS);
	await reclaimMessages(fake.journal);
	await send();
	expect(sent).toHaveLength(0);
	fake.clock.advance(MINUTE_MS);
	await send();
	expect(sent).toHaveLength(1);
});

test('a channel that is away is tried for a day, then given up; the gate stays open', async () => {
	const gateId = await open();
	let tries = 0;
	const away: Deliver = async () => {
		tries++;
		return { kind: 'again', code: 'away' };
	};
	const start = fake.clock.now();
	for (let dueAt = await send(away); dueAt !== undefined; dueAt = await send(away))
		fake.clock.advance(dueAt - fake.clock.now());
	expect(tries).toBeGreaterThan(100);
	expect(fake.clock.now() - start).toBeGreaterThan(86_000_000);
	await decide(gateId);
	await send();
	expect(sent).toHaveLength(0);
});

test('a channel that throws is one that failed for now', async () => {
	await open();
	const dueAt = await send(async () => await Promise.reject(new Error('bug')));
	fake.clock.advance(dueAt! - fake.clock.now());
	await send();
	expect(sent).toHaveLength(1);
});

test('when the waiting execution is gone, the message is owed that news', async () => {
	const gateId = await open({ resumeUrl: 'http://n8n.test/webhook-waiting/7/gate?signature=s' });
	await send();
	await decide(gateId);
	await send();
	expect(sent.at(-1)!.gate.withoutEffect).toBe(false);
	for (let wakes = await takeDueWakeUps(fake.journal, 8); ;) {
		const reply = { reply: 'missing' as const, status: 404 };
		if ((await recordWakeUp(fake.journal, wakes[0]!.waiter, reply)) === 'gone') break;
		fake.clock.advance(MINUTE_MS);
		wakes = await takeDueWakeUps(fake.journal, 8);
	}
	await send();
	expect(sent.map(({ kind }) => kind)).toEqual(['gate', 'outcome', 'outcome']);
	expect(sent.at(-1)!.gate.withoutEffect).toBe(true);
});

test('a link for each holder: the approver decides, everybody else is shown', async () => {
	await open({ approvers: [{ name: 'Operator', telegramId: 11 }] });
	await open({
		gate: 'group',
		channels: [{ type: 'telegram', to: '-5' }],
		approvers: [{ name: 'Operator', telegramId: 11 }],
	});
	await open({ gate: 'anybody', channels: [{ type: 'telegram', to: '11', threadId: 3 }] });
	await send();
	const [toAna, toGroup, toAnybody] = sent;
	expect(toAna).toMatchObject({ target: { to: '11', approver: 0 } });
	expect(toAna!.links.decide).toContain('.0.');
	expect(toGroup!.links.decide).toBeUndefined();
	expect(toGroup!.links.show).toContain('.show.');
	expect(toAnybody).toMatchObject({ target: { to: '11', threadId: 3 } });
	expect(toAnybody!.links.decide).toContain('.link.');
});
