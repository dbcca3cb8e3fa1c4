import { queueCompletes } from '../../../nodes/shared/complete-queue';
import type { JournalClient } from '../../../nodes/shared/journal-client';
import { JournalError } from '../../../nodes/shared/journal-error';

const refused = (status: number) =>
	new JournalError({ code: 'payload_too_large', status, origin: 'o', retryable: false });

/** A journal whose first answer is given when the test says so. */
function journal(many: (keys: string[]) => unknown) {
	const asked: string[] = [];
	let answerFirst = () => {};
	const held = new Promise<void>((resolve) => (answerFirst = resolve));
	const client = queueCompletes({
		complete: async (key: string) => {
			asked.push(key);
			if (asked.length === 1) await held;
			if (key === 'refused') throw refused(409);
			return { state: 'completed' };
		},
		completeMany: async (steps: Array<{ key: string }>) => {
			const keys = steps.map(({ key }) => key);
			asked.push(keys.join('+'));
			return many(keys);
		},
	} as unknown as JournalClient);
	const complete = (key: string) => client.complete(key, { fencingToken: 1, result: key });
	return { asked, answerFirst, complete };
}
const done = (keys: string[]) => keys.map(() => ({ ok: true, value: { state: 'completed' } }));

it('the first waits for nobody; those that come meanwhile share the next request', async () => {
	const { asked, answerFirst, complete } = journal(done);
	const told = ['a', 'b', 'c'].map(complete);
	expect(asked).toEqual(['a']);
	answerFirst();
	expect(await Promise.all(told)).toEqual(told.map(() => ({ state: 'completed' })));
	expect(asked).toEqual(['a', 'b+c']);
});

it('each gets its own refusal, and work goes on after one', async () => {
	const { answerFirst, complete, asked } = journal((keys) =>
		keys.map((key) =>
			key === 'b'
				? { ok: false, error: refused(409) }
				: { ok: true, value: { state: 'completed' } },
		),
	);
	answerFirst();
	const told = await Promise.allSettled(['refused', 'b', 'c'].map(complete));
	expect(told.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
	await complete('d');
	expect(asked).toEqual(['refused', 'b+c', 'd']);
});

it('what is too much together is recorded one by one', async () => {
	const { answerFirst, complete, asked } = journal(() => {
		throw refused(413);
	});
	answerFirst();
	await Promise.all(['a', 'b', 'c'].map(complete));
	expect(asked).toEqual(['a', 'b+c', 'b', 'c']);
});

it('a request that fails as a whole fails all in it', async () => {
	const { answerFirst, complete } = journal(() => {
		throw refused(503);
	});
	answerFirst();
	const told = await Promise.allSettled(['a', 'b', 'c'].map(complete));
	expect(told.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
});
