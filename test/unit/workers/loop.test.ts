import { Signals } from '../../../service/journal/signals';
import { loop, type LoopOptions } from '../../../service/workers/loop';

const TOPIC = 'work';

/** Runs a loop over scripted work; `turns` resolves each time the work was done. */
function start(work: LoopOptions['work'], now = () => 0) {
	const signals = new Signals();
	const stopping = new AbortController();
	const errors: object[] = [];
	let count = 0;
	let turned = () => {};
	const ended = loop({
		name: 'test',
		work: async () => {
			count += 1;
			turned();
			return await work();
		},
		signals,
		topic: TOPIC,
		now,
		log: { info: () => {}, warn: () => {}, error: (members) => void errors.push(members) },
		signal: stopping.signal,
	});
	return {
		errors,
		signals,
		stop: async () => {
			stopping.abort();
			await ended;
		},
		turns: async (wanted: number) => {
			while (count < wanted) await new Promise<void>((resolve) => (turned = resolve));
		},
	};
}

test('works at once, and again when more is due', async () => {
	const due = [5, 10, undefined];
	const running = start(
		async () => due.shift(),
		() => 0,
	);
	await running.turns(3);
	await running.stop();
	expect(due).toEqual([]);
});

test('what is overdue is worked on without a pause', async () => {
	let left = 1_000;
	const running = start(
		async () => (left-- > 0 ? 0 : undefined),
		() => 1_000_000,
	);
	await running.turns(1_001);
	await running.stop();
	expect(left).toBe(-1);
});

test('a signal during the work is not lost', async () => {
	const seen: string[] = [];
	const running = start(async () => {
		seen.push('work');
		if (seen.length === 1) running.signals.notify(TOPIC);
		return undefined;
	});
	await running.turns(2);
	await running.stop();
	expect(seen.length).toBe(2);
	// Without the signal it would sleep for ten seconds.
}, 5_000);

test('a failure is logged by the name of the worker, and does not end it', async () => {
	const reason = new Error('disk full');
	let first = true;
	const running = start(async () => {
		if (!first) return undefined;
		first = false;
		throw reason;
	});
	await running.turns(1);
	await new Promise(setImmediate);
	running.signals.notify(TOPIC);
	await running.turns(2);
	await running.stop();
	expect(running.errors).toEqual([{ err: reason, worker: 'test' }]);
});

test('the abort ends it after the work under way', async () => {
	let finish = () => {};
	const working = new Promise<void>((resolve) => (finish = resolve));
	let done = false;
	const running = start(async () => {
		await working;
		done = true;
		return undefined;
	});
	await running.turns(1);
	const stopped = running.stop();
	finish();
	await stopped;
	expect(done).toBe(true);
});
