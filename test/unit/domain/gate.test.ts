import fc from 'fast-check';
import type { DecisionWord } from '../../../service/contract/gates';
import {
	deadlineOutcome,
	ignoredMembers,
	shownSha256,
	stateAfter,
	wordsOf,
	type QuorumRule,
} from '../../../service/domain/gate';

const rule = (quorum: number): QuorumRule => ({ quorum, rejection: 'ends', voters: [] });
const voices = (...words: DecisionWord[]) =>
	words.map((decision, index) => ({ by: `p${index}`, decision }));

describe('approval', () => {
	test.each<[number, DecisionWord[], string]>([
		[1, [], 'open'],
		[1, ['approve'], 'approved'],
		[1, ['reject'], 'rejected'],
		[1, ['changes'], 'rejected'],
		[2, ['approve'], 'open'],
		[2, ['approve', 'approve'], 'approved'],
		[2, ['approve', 'reject'], 'rejected'],
		[3, ['changes'], 'rejected'],
	])('quorum %i, %j', (quorum, words, state) =>
		expect(stateAfter('approval', rule(quorum), voices(...words))).toBe(state),
	);

	test('is approved exactly when nobody objected and the quorum is reached', () => {
		const word = fc.constantFrom(...wordsOf('approval'));
		fc.assert(
			fc.property(
				fc.integer({ min: 1, max: 5 }),
				fc.array(word, { maxLength: 6 }),
				(quorum, words) => {
					const approved = words.every((said) => said === 'approve') && words.length >= quorum;
					expect(stateAfter('approval', rule(quorum), voices(...words)) === 'approved').toBe(
						approved,
					);
				},
			),
		);
	});
});

test('the first decision stands: it follows from the voices so far, and no earlier one was one', () => {
	const word = fc.constantFrom(...wordsOf('approval'));
	fc.assert(
		fc.property(
			fc.integer({ min: 1, max: 5 }),
			fc.array(word, { maxLength: 8 }),
			(quorum, words) => {
				const states = words.map((_, count) =>
					stateAfter('approval', rule(quorum), voices(...words.slice(0, count + 1))),
				);
				const first = states.findIndex((state) => state !== 'open');
				const heard = first === -1 ? words : words.slice(0, first + 1);
				const objects = heard.findIndex((said) => said !== 'approve');
				// Who speaks after that is not heard: whatever is said then cannot have settled it.
				if (first === -1) expect(heard.length).toBeLessThan(quorum);
				else if (states[first] === 'approved')
					expect([objects, heard.length]).toEqual([-1, quorum]);
				else expect([states[first], objects]).toEqual(['rejected', first]);
			},
		),
	);
});

describe('where rejections count', () => {
	const counts = (quorum: number, voters: number): QuorumRule => ({
		quorum,
		rejection: 'counts',
		voters: Array.from({ length: voters }, (_, index) => `p${index}`),
	});
	test.each<[number, number, DecisionWord[], string]>([
		[2, 3, ['reject'], 'open'],
		[2, 3, ['reject', 'reject'], 'rejected'],
		[2, 3, ['reject', 'approve'], 'open'],
		[2, 3, ['reject', 'approve', 'approve'], 'approved'],
		[2, 3, ['changes'], 'rejected'],
		[2, 2, ['reject'], 'rejected'],
		[1, 3, ['reject', 'reject'], 'open'],
		[1, 3, ['reject', 'reject', 'reject'], 'rejected'],
		[1, 3, ['reject', 'approve'], 'approved'],
	])('%i of %i, %j', (quorum, voters, words, state) =>
		expect(stateAfter('approval', counts(quorum, voters), voices(...words))).toBe(state),
	);

	test('a gate is open exactly as long as both ends are possible', () => {
		const word = fc.constantFrom<DecisionWord>('approve', 'reject');
		fc.assert(
			fc.property(
				fc.integer({ min: 1, max: 6 }),
				fc.array(word, { maxLength: 6 }),
				(voters, words) => {
					const said = words.slice(0, voters);
					for (let quorum = 1; quorum <= voters; quorum++) {
						const approvals = said.filter((each) => each === 'approve').length;
						const best = approvals + voters - said.length;
						const state = approvals >= quorum ? 'approved' : best < quorum ? 'rejected' : 'open';
						expect(stateAfter('approval', counts(quorum, voters), voices(...said))).toBe(state);
					}
				},
			),
		);
	});
});

test('approvals count whatever their order, and whoever gives them', () => {
	const people = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 5 });
	fc.assert(
		fc.property(people, fc.integer({ min: 1, max: 5 }), (names, quorum) => {
			const said = names.map((by) => ({ by, decision: 'approve' as const }));
			const state = names.length >= quorum ? 'approved' : 'open';
			expect(stateAfter('approval', rule(quorum), said)).toBe(state);
			expect(stateAfter('approval', rule(quorum), said.toReversed())).toBe(state);
		}),
	);
});

test.each<[DecisionWord, string]>([
	['happened', 'approved'],
	['not_happened', 'rejected'],
	['stop', 'rejected'],
])('doubt: %s', (word, state) => expect(stateAfter('in_doubt', rule(1), voices(word))).toBe(state));

describe('deadline', () => {
	const asked = fc.record({ hasChannel: fc.boolean(), delivered: fc.boolean() });

	test('silence approves only where the policy says so and somebody could have been reached', () => {
		const policy = fc.constantFrom('reject', 'approve', 'abort', 'wait' as const);
		fc.assert(
			fc.property(policy, asked, (chosen, facts) => {
				const approved = deadlineOutcome(chosen, facts)?.state === 'approved';
				expect(approved).toBe(chosen === 'approve' && (!facts.hasChannel || facts.delivered));
			}),
		);
	});

	const EXPIRED = { state: 'expired', decision: 'reject', cancelsRun: false };
	const APPROVED = { state: 'approved', decision: 'approve', cancelsRun: false };
	test.each([
		// policy, no channel, a channel that delivered, a channel that did not
		['reject', EXPIRED, EXPIRED, EXPIRED],
		['approve', APPROVED, APPROVED, EXPIRED],
		[
			'abort',
			{ ...EXPIRED, cancelsRun: true },
			{ ...EXPIRED, cancelsRun: true },
			{ ...EXPIRED, cancelsRun: true },
		],
		['wait', undefined, undefined, undefined],
	] as const)('%s', (policy, none, delivered, silent) => {
		expect(deadlineOutcome(policy, { hasChannel: false, delivered: false })).toEqual(none);
		expect(deadlineOutcome(policy, { hasChannel: true, delivered: true })).toEqual(delivered);
		expect(deadlineOutcome(policy, { hasChannel: true, delivered: false })).toEqual(silent);
	});

	test('only abort cancels the run, and wait does nothing', () => {
		const nobody = { hasChannel: false, delivered: false };
		expect(deadlineOutcome('abort', nobody)).toEqual({
			state: 'expired',
			decision: 'reject',
			cancelsRun: true,
		});
		expect(deadlineOutcome('reject', nobody)?.cancelsRun).toBe(false);
		expect(deadlineOutcome('wait', nobody)).toBeUndefined();
	});
});

describe('what is frozen', () => {
	const REQUEST = { runId: 'r', gate: 'g', input: { a: 1, b: 2 }, title: 't', message: 'm' };

	test('the order of members is no difference, content is', () => {
		expect(ignoredMembers(REQUEST, { ...REQUEST, input: { b: 2, a: 1 } })).toEqual([]);
		expect(ignoredMembers(REQUEST, { ...REQUEST, title: 'T', quorum: 2 })).toEqual([
			'title',
			'quorum',
		]);
		expect(ignoredMembers({ ...REQUEST, quorum: 2 }, REQUEST)).toEqual(['quorum']);
	});

	test('who asks and where to wake it is not frozen', () => {
		const later = { ...REQUEST, resumeUrl: 'http://n', meta: { executionId: '2' } };
		expect(ignoredMembers(REQUEST, later)).toEqual([]);
	});

	test('the hash of what is shown changes with each part of it', () => {
		const hashes = [
			REQUEST,
			{ ...REQUEST, title: 'T' },
			{ ...REQUEST, message: 'M' },
			{ ...REQUEST, input: 1 },
		].map(shownSha256);
		expect(new Set(hashes).size).toBe(4);
		expect(shownSha256({ ...REQUEST, input: { b: 2, a: 1 } })).toBe(hashes[0]);
	});
});
