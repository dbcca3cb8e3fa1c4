import type { RetentionCounts } from '../../../service/journal/prune-runs';
import { claimStep } from '../../../service/journal/claim-step';
import { completeStep } from '../../../service/journal/complete-step';
import { runRetention } from '../../../service/workers/retention';
import { fakeJournal, type FakeJournal } from '../../fake-journal';
import { waitUntil } from '../../wait-until';

const DAY = 86_400_000;
const HOUR = 3_600_000;

let fake: FakeJournal;
let counts: RetentionCounts;
let stopping: AbortController;
beforeEach(() => {
	fake = fakeJournal();
	counts = { runsPruned: 0, tombstonesRemoved: 0 };
	stopping = new AbortController();
});
afterEach(async () => await fake.close());

const completedRun = async (runId: string, afterMs = 0) => {
	const claim = await claimStep(fake.journal, { runId, step: 's', input: 1 });
	fake.clock.advance(afterMs);
	const { key, fencingToken } = claim as { key: string; fencingToken: number };
	await completeStep(fake.journal, key, { fencingToken, result: 1 });
};

/** Runs the worker; `turn` makes it look again, and resolves when it has looked. */
function start() {
	const lines: object[] = [];
	let looks = 0;
	const now = () => {
		looks += 1;
		return fake.clock.now();
	};
	const log = {
		info: (members: object) => void lines.push(members),
		warn: () => {},
		error: (members: object) => void lines.push(members),
	};
	const retention = { runMs: 30 * DAY, auditMs: undefined };
	const ended = runRetention(fake.journal, retention, counts, now, log, stopping.signal);
	return {
		lines,
		turn: async () => {
			const before = looks;
			await waitUntil('the worker to look', () => {
				fake.journal.signals.notify('retention');
				return looks >= before + 4;
			});
		},
		stop: async () => {
			stopping.abort();
			await ended;
		},
	};
}

test('prunes at once, not again within the hour, and again after it', async () => {
	for (const runId of ['a', 'b']) await completedRun(runId);
	await completedRun('c', HOUR / 2);
	fake.clock.advance(30 * DAY - HOUR / 2 + 1);
	const worker = start();
	await waitUntil('the first pass', () => worker.lines.length === 1);
	expect(worker.lines).toEqual([{ pruned: 2 }]);
	fake.clock.advance(HOUR - 1);
	await worker.turn();
	expect(counts.runsPruned).toBe(2);
	fake.clock.advance(1);
	await waitUntil('the next pass', () => {
		fake.journal.signals.notify('retention');
		return counts.runsPruned > 2;
	});
	await worker.stop();
	expect(worker.lines).toEqual([{ pruned: 2 }, { pruned: 1 }]);
});

test('a stop in the middle ends it after the removal under way', async () => {
	for (let index = 0; index < 50; index++) await completedRun(`r${index}`);
	fake.clock.advance(31 * DAY);
	const worker = start();
	await waitUntil('the first removals', () => counts.runsPruned > 0, { everyMs: 1 });
	await worker.stop();
	expect(counts.runsPruned).toBeLessThan(50);
});
