import { openGate } from '../../../service/journal/open-gate';
import { takeDueMessages, recordDelivery } from '../../../service/journal/record-delivery';
import { readGate } from '../../../service/journal/read-gate';
import {
	releaseTelegramLease,
	storeTelegramOffset,
	takeTelegramLease,
} from '../../../service/journal/telegram-lease';
import {
	pollTelegram,
	type ButtonSource,
	type ReceivedPress,
} from '../../../service/workers/telegram-polling';
import { StoreBusyError, type Database } from '../../../service/store/database';
import { fakeJournal, type FakeJournal } from '../../fake-journal';

let fake: FakeJournal;
beforeEach(() => {
	fake = fakeJournal();
});
afterEach(async () => await fake.close());

const log = { info() {}, warn() {}, error() {} };

test('one process listens; another follows when the lease ends or is given back, where it left off', async () => {
	const { journal, clock } = fake;
	expect(await takeTelegramLease(journal, 'a')).toEqual({ offset: 0 });
	await storeTelegramOffset(journal, 'a', 7);
	expect(await takeTelegramLease(journal, 'b')).toBeUndefined();
	expect(await takeTelegramLease(journal, 'a')).toEqual({ offset: 7 });
	clock.advance(10_000);
	expect(await takeTelegramLease(journal, 'b')).toEqual({ offset: 7 });
	await storeTelegramOffset(journal, 'a', 99);
	expect(await takeTelegramLease(journal, 'a')).toBeUndefined();
	await releaseTelegramLease(journal, 'b');
	expect(await takeTelegramLease(journal, 'a')).toEqual({ offset: 7 });
});

/** Opens a gate, shows it in chat 5, and returns a press of its button. */
async function shownGate(): Promise<{ gateId: string; press: ReceivedPress }> {
	const { journal } = fake;
	const { answer } = await openGate(journal, {
		runId: 'order-1',
		gate: 'approve',
		input: 1,
		title: 'T',
		message: 'm',
		channels: ['telegram'],
	});
	const [message] = (await takeDueMessages(journal, 1)).messages;
	await recordDelivery(journal, message!, { kind: 'sent', messageId: '1', target: { to: '5' } });
	const press = {
		shortId: message!.shortId,
		word: 'approve' as const,
		chatId: '5',
		chatNames: ['5'],
		messageId: '1',
		from: { via: 'telegram', telegramId: 1, name: 'Operator (1)' },
	};
	return { gateId: answer.gateId, press: { queryId: 'q', press } };
}

test('a press that the store could not take comes again, and is answered once', async () => {
	const { gateId, press } = await shownGate();
	const stop = new AbortController();
	const offsets: number[] = [];
	let answers = 0;
	let busy = 2;
	const database: Database = {
		shared: false,
		now: () => fake.journal.database.now(),
		read: (work) => fake.journal.database.read(work),
		close: () => fake.journal.database.close(),
		write: async (about, work) => {
			if (answers > 0 && busy-- > 0) throw new StoreBusyError('disk full');
			return await fake.journal.database.write(about, work);
		},
	};
	const source: ButtonSource = {
		mayListen: async () => true,
		async presses(offset) {
			offsets.push(offset);
			if (offset > 0) stop.abort();
			return offset > 0 ? { presses: [], nextOffset: offset } : { presses: [press], nextOffset: 8 };
		},
		async answer() {
			answers++;
		},
	};
	await pollTelegram({ ...fake.journal, database, random: () => 0 }, source, log, stop.signal);
	expect(await readGate(fake.journal, gateId)).toMatchObject({
		state: 'approved',
		decision: { by: 'Operator (1)', via: 'telegram' },
	});
	expect(answers).toBe(1);
	expect(offsets.at(-1)).toBe(8);
	expect(offsets.filter((offset) => offset === 0).length).toBeGreaterThan(1);
});
