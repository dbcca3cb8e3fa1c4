/** Everything that is asked about gates and runs, and what is owed when a gate is final. */
import fc from 'fast-check';
import { decide, fireTimers, open, wakeUp } from './gate-rules';
import { allGates } from './model';
import type { Operation } from './operation';
import { cancelRun, eraseRun, reopenRun, settleRun } from './run-rules';
import { pickOf, runId } from './step-operations';

const optional = <Value>(value: fc.Arbitrary<Value>) =>
	fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });
const APPROVERS = [{ name: 'ann' }, { name: 'bob' }];
const OTHERS = [{ name: 'bob' }, { name: 'cid' }];
const POLICIES = ['reject', 'approve', 'abort', 'wait'] as const;
const words = ['approve', 'reject', 'changes', 'happened', 'not_happened', 'stop'];

const opening: fc.Arbitrary<Operation> = fc
	.record({
		runId,
		gate: fc.constantFrom('release', 'refund'),
		input: fc.record({ amount: fc.constantFrom(1, 2) }),
		title: fc.constantFrom('Release?', 'Really?'),
		message: fc.constant('The invoice is attached.'),
		slot: optional(fc.constantFrom('w/a#0.0', 'w/b#0.0')),
		quorum: optional(fc.constant(2)),
		resumeUrl: optional(
			fc.constantFrom(1, 2).map((n) => `http://127.0.0.1:5678/webhook-waiting/${n}`),
		),
		deadline: optional(fc.constantFrom({ in: 'PT1S' }, { in: 'PT60S' })),
		onDeadline: fc.oneof(
			{ weight: 4, arbitrary: optional(fc.constantFrom(...POLICIES)) },
			{ weight: 2, arbitrary: fc.constant('escalate' as const) },
		),
		then: fc.constantFrom(...POLICIES),
		counts: fc.boolean(),
	})
	.map(({ then, counts, ...request }) => ({
		...request,
		...(request.quorum && {
			approvers: APPROVERS,
			...(counts && { rejection: 'counts' as const }),
		}),
		...(request.onDeadline === 'escalate' && {
			deadline: request.deadline ?? { in: 'PT1S' },
			escalateTo: { approvers: OTHERS, in: 'PT5S', then },
		}),
	}))
	.map((request) => ({
		name: `open ${JSON.stringify(request)}`,
		prepare: () => ({
			kind: 'open',
			send: async (world) => await world.call('POST', '/v1/gates', request),
			expect: (model, seen) => open(model, request, seen),
		}),
	}));

const deciding: fc.Arbitrary<Operation> = fc
	.record({ pick: fc.nat(1_000), by: fc.constantFrom('ann', 'bob', 'cid'), word: fc.nat(5) })
	.map(({ pick, by, word }) => ({
		name: `decide ${pick} by ${by}: ${words[word]}`,
		prepare(model) {
			const all = allGates(model).map((found) => found.gate);
			const gate = pickOf(all, pick, ({ state }) => state === 'open');
			if (!gate) return undefined;
			// Mostly a word that the gate knows.
			const decision =
				word === 5 ? 'stop' : words[(word % 3) + (gate.kind === 'approval' ? 0 : 3)]!;
			return {
				kind: 'decide',
				send: async (world) =>
					await world.call('POST', `/v1/gates/${gate.gateId}/decide`, { decision, by }),
				expect: (after) => decide(after, gate.gateId, by, decision),
			};
		},
	}));

const firing: fc.Arbitrary<Operation> = fc.constant({
	name: 'timers fire',
	prepare: () => ({
		kind: 'fire',
		send: async (world) => await world.fireTimers(),
		expect(model) {
			fireTimers(model);
			return { status: 200 };
		},
	}),
});

const waking: fc.Arbitrary<Operation> = fc
	.constantFrom('resumed' as const, 'later' as const, 'none' as const)
	.map((reply) => ({
		name: `an execution is woken: ${reply}`,
		prepare: () => ({
			kind: 'wake',
			send: async (world) => await world.wakeUp(reply),
			expect(model, seen) {
				wakeUp(model, seen.body.told, seen.body.recorded && reply === 'resumed');
				return { status: 200 };
			},
		}),
	}));

const cancelling: fc.Arbitrary<Operation> = runId.map((id) => ({
	name: `cancel ${id}`,
	prepare: () => ({
		kind: 'cancel',
		send: async (world) =>
			await world.call('POST', `/v1/runs/${id}/cancel`, { reason: 'mistake', by: 'ann' }),
		expect: (model) => cancelRun(model, id),
	}),
}));

const erasing: fc.Arbitrary<Operation> = runId.map((id) => ({
	name: `erase ${id}`,
	prepare: () => ({
		kind: 'erase',
		send: async (world) => await world.call('DELETE', `/v1/runs/${id}`),
		expect: (model) => eraseRun(model, id),
	}),
}));

const settling: fc.Arbitrary<Operation> = fc
	.record({
		id: runId,
		as: fc.constantFrom('failed', 'failed', 'dead', 'completed'),
		result: fc.constantFrom('a', 'b', null),
	})
	.map(({ id, as, result }) => ({
		name: `settle ${id} as ${as}: ${result}`,
		prepare() {
			const body = { as, by: 'ann', ...(as === 'completed' && { result }) };
			return {
				kind: 'settle',
				send: async (world) => await world.call('POST', `/v1/runs/${id}/settle`, body),
				expect: (model) => settleRun(model, id, as, body.result),
			};
		},
	}));

const reopening: fc.Arbitrary<Operation> = runId.map((id) => ({
	name: `reopen ${id}`,
	prepare: () => ({
		kind: 'reopen',
		send: async (world) =>
			await world.call('POST', `/v1/runs/${id}/reopen`, { reason: 'repaired', by: 'ann' }),
		expect: (model) => reopenRun(model, id),
	}),
}));

export const gateOperations: Array<fc.WeightedArbitrary<Operation>> = [
	{ weight: 18, arbitrary: opening },
	{ weight: 24, arbitrary: deciding },
	{ weight: 8, arbitrary: firing },
	{ weight: 8, arbitrary: waking },
	{ weight: 1, arbitrary: cancelling },
	{ weight: 2, arbitrary: erasing },
	{ weight: 3, arbitrary: settling },
	{ weight: 3, arbitrary: reopening },
];
