import { randomBytes } from 'node:crypto';
import type { Journal } from '../service/journal/journal';
import { Signals } from '../service/journal/signals';
import { openEmptyStore } from './store-under-test';

/** A clock that moves only when told to. */
export class FakeClock {
	constructor(public ms = Date.parse('2027-03-01T10:00:00.000Z')) {}
	readonly now = (): number => this.ms;
	advance(ms: number): void {
		this.ms += ms;
	}
}

export interface FakeJournal {
	readonly journal: Journal;
	readonly clock: FakeClock;
	close(): Promise<void>;
}

/** The real use cases on an empty store, with a fake clock and no jitter. */
export function fakeJournal(overrides: Partial<Journal> = {}): FakeJournal {
	const clock = new FakeClock();
	const database = openEmptyStore(clock.now);
	const journal: Journal = {
		database,
		signals: new Signals(),
		random: () => 0.5,
		randomBytes,
		secret: Buffer.from('a secret of the tests, 32 bytes!'),
		publicUrl: 'http://127.0.0.1:5690',
		channelRefusal: () => undefined,
		...overrides,
	};
	return { journal, clock, close: async () => await database.close() };
}
