/** Everything that is asked about steps, by workers that may remember stale claims. */
import fc from 'fast-check';
import { claim, claimMany, type ClaimRequest } from './claim-rules';
import { allGates, allSteps, ok, type Expected, type Held, type Model } from './model';
import type { Operation, Request } from './operation';
import { complete, expireLeases, fail, holderDied, renew, resolve } from './report-rules';
import type { Answer } from './world';

export const WORKERS = 3;
/** Over the sizes from which payloads lie apart, and are written in pieces before the step is. */
const LARGE = 'x'.repeat(5_000);
const IN_PIECES = 'x'.repeat(270_000);

/** Mostly one that is liked, since most of what is asked has to be about something that is under way. */
export function pickOf<Item>(
	all: Item[],
	pick: number,
	liked: (item: Item) => boolean,
): Item | undefined {
	const some = pick % 4 === 0 ? all : all.filter(liked);
	return some[pick % some.length] ?? all[pick % all.length];
}

const worker = fc.nat(WORKERS - 1);
const pick = fc.nat(1_000);
export const runId = fc.constantFrom('run-1', 'run-2');
const optional = <Value>(value: fc.Arbitrary<Value>) =>
	fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });
const rare = <Value>(value: fc.Arbitrary<Value>) =>
	fc.oneof({ weight: 7, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });
const sometimes = <Value>(value: fc.Arbitrary<Value>) =>
	fc.oneof({ weight: 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });
const result = fc.oneof(
	{ weight: 12, arbitrary: fc.constantFrom<unknown>('a', 'b', null, LARGE) },
	{ weight: 1, arbitrary: fc.constant<unknown>({ large: IN_PIECES }) },
);
const leaseMs = fc.constantFrom(100, 100, 1_000, 60_000);

const claimBy = fc.record({
	worker,
	/** Random where real workers make them; each worker has few here, so that they repeat. */
	claim: optional(fc.nat(1)),
	gate: rare(pick),
	body: fc.record({
		runId,
		step: fc.constantFrom('charge', 'charge', 'mail'),
		input: fc.record({ amount: fc.constantFrom(1, 1, 2) }),
		idempotencyKey: rare(fc.constant('own')),
		slot: optional(fc.constantFrom('w/n#0.0', 'w/n#0.1')),
		leaseMs,
		onInDoubt: fc.constantFrom(
			undefined,
			'fail',
			'retry',
			'ask',
			'ask',
			'verify',
			'verify',
			'verify',
		),
		lookAfterMs: fc.constantFrom(0, 0, 0, 1_000, undefined),
		onInputChange: optional(fc.constantFrom('stop', 'run')),
		retry: fc.record({ maxAttempts: fc.integer({ min: 1, max: 3 }) }),
		receiverWindowMs: rare(fc.constant(2_000)),
		guard: sometimes(
			fc.record({
				key: fc.constantFrom('ann', 'ann', 'ben'),
				withinMs: fc.constantFrom(1_000, 86_400_000, 86_400_000),
				onRepeat: fc.constantFrom('refuse', 'refuse', 'replay'),
			}),
		),
		meta: optional(fc.record({ executionId: fc.constantFrom('7', '8') })),
	}),
});
type ClaimBy = typeof claimBy extends fc.Arbitrary<infer Value> ? Value : never;

function claimRequest(model: Model, { worker, claim: id, gate, body }: ClaimBy): ClaimRequest {
	const gates = allGates(model);
	const gateId = gate === undefined ? undefined : gates[gate % gates.length]?.gate.gateId;
	return {
		...body,
		...(id !== undefined && { claimId: `worker-${worker}-${id}` }),
		...(gateId !== undefined && { gateId }),
	};
}

function remember(model: Model, worker: number, { body }: Pick<Answer, 'body'>): void {
	if (body.outcome === 'execute' || body.outcome === 'verify')
		model.workers[worker]!.push({ key: body.key, token: body.fencingToken });
}

const claiming: fc.Arbitrary<Operation> = claimBy.map((by) => ({
	name: `claim ${JSON.stringify(by)}`,
	prepare(model) {
		const body = claimRequest(model, by);
		return {
			kind: 'claim',
			send: async (world) => await world.call('POST', '/v1/steps/claim', body),
			expect: (after, seen) => claim(after, body, seen),
			learn: (after, seen) => remember(after, by.worker, seen),
		};
	},
}));

const claimingMany: fc.Arbitrary<Operation> = fc
	.array(claimBy, { minLength: 1, maxLength: 4 })
	.map((all) => ({
		name: `claim-many ${JSON.stringify(all)}`,
		prepare(model) {
			const steps = all.map((by) => claimRequest(model, by));
			return {
				kind: 'claim-many',
				send: async (world) => await world.call('POST', '/v1/steps/claim-many', { steps }),
				expect: (after, seen) => claimMany(after, steps, seen),
				learn: (after, seen) =>
					all.forEach(({ worker }, index) => remember(after, worker, seen.body.results[index])),
			};
		},
	}));

/** What a worker remembers, however stale, or a token that was never given. */
const heldBy = fc.record({
	worker,
	age: fc.constantFrom(0, 0, 0, 1, 2, 5),
	beyond: rare(fc.constant<number>(1)),
});
type HeldBy = typeof heldBy extends fc.Arbitrary<infer Value> ? Value : never;

function held(model: Model, { worker, age, beyond = 0 }: HeldBy): Held | undefined {
	const found = model.workers[worker]!.at(-1 - age);
	return found && { key: found.key, token: found.token + beyond };
}

function reporting(
	path: 'complete' | 'fail' | 'renew',
	by: HeldBy,
	body: object,
	expected: (model: Model, claim: Held, seen: Answer) => Expected,
): Operation {
	return {
		name: `${path} ${JSON.stringify({ ...by, ...body }).slice(0, 200)}`,
		prepare(model) {
			const claim = held(model, by);
			return (
				claim && {
					kind: path,
					send: async (world) =>
						await world.call('POST', `/v1/steps/${claim.key}/${path}`, {
							fencingToken: claim.token,
							...body,
						}),
					expect: (after, seen) => expected(after, claim, seen),
				}
			);
		},
	};
}

const completing = fc
	.tuple(heldBy, result)
	.map(([by, value]) =>
		reporting('complete', by, { result: value }, (model, { key, token }) =>
			complete(model, key, token, value),
		),
	);

const failing = fc
	.tuple(
		heldBy,
		fc.record({
			error: fc.record({ message: fc.constantFrom('refused', 'timed out') }),
			verdict: fc.constantFrom('retryable', 'retryable', 'terminal', 'in_doubt'),
			retryAfterMs: optional(fc.constantFrom(0, 500, 200_000_000)),
		}),
	)
	.map(([by, report]) =>
		reporting('fail', by, report, (model, { key, token }, seen) =>
			fail(model, key, { fencingToken: token, ...report }, seen),
		),
	);

const renewing = fc
	.tuple(heldBy, leaseMs)
	.map(([by, ms]) =>
		reporting('renew', by, { leaseMs: ms }, (model, { key, token }) =>
			renew(model, key, token, ms),
		),
	);

const completingMany: fc.Arbitrary<Operation> = fc
	.array(fc.tuple(heldBy, result), { minLength: 1, maxLength: 3 })
	.map((all) => ({
		name: `complete-many ${JSON.stringify(all).slice(0, 200)}`,
		prepare(model): Request | undefined {
			const steps = all.flatMap(([by, value]) => {
				const claim = held(model, by);
				return claim ? [{ key: claim.key, fencingToken: claim.token, result: value }] : [];
			});
			if (steps.length === 0) return undefined;
			return {
				kind: 'complete-many',
				send: async (world) => await world.call('POST', '/v1/steps/complete-many', { steps }),
				expect: (after) =>
					ok({
						results: steps.map((step) => complete(after, step.key, step.fencingToken, step.result)),
					}),
			};
		},
	}));

const resolving: fc.Arbitrary<Operation> = fc
	.record({ pick, as: fc.constantFrom('completed', 'failed', 'retry'), result })
	.map(({ pick, as, result }) => ({
		name: `resolve ${pick} as ${as}`,
		prepare(model) {
			const all = allSteps(model).map((found) => found.step);
			const key = pickOf(all, pick, ({ state }) => state !== 'completed')?.key;
			if (key === undefined) return undefined;
			const body = { as, result, reason: 'looked', by: 'ann' };
			return {
				kind: 'resolve',
				send: async (world) => await world.call('POST', `/v1/steps/${key}/resolve`, body),
				expect: (after) => resolve(after, key, { as, result }),
			};
		},
	}));

const doubting: fc.Arbitrary<Operation> = fc
	.record({ pick, asking: fc.constantFrom('7', '8') })
	.map(({ pick, asking }) => ({
		name: `n8n says that the holder of ${pick} crashed, asked for ${asking}`,
		prepare(model) {
			const all = allSteps(model).map((found) => found.step);
			const key = pickOf(all, pick, ({ state }) => state === 'claimed')?.key;
			if (key === undefined) return undefined;
			return {
				kind: 'n8n says',
				send: async (world) => await world.doubtHolder(key, asking),
				expect: (after, seen) => holderDied(after, key, asking, seen),
			};
		},
	}));

const expiring: fc.Arbitrary<Operation> = fc.constant({
	name: 'leases run out',
	prepare: () => ({
		kind: 'expire',
		send: async (world) => await world.expireLeases(),
		expect(after) {
			expireLeases(after);
			return { status: 200 };
		},
	}),
});

export const stepOperations: Array<fc.WeightedArbitrary<Operation>> = [
	{ weight: 40, arbitrary: claiming },
	{ weight: 12, arbitrary: claimingMany },
	{ weight: 24, arbitrary: completing },
	{ weight: 8, arbitrary: completingMany },
	{ weight: 24, arbitrary: failing },
	{ weight: 8, arbitrary: renewing },
	{ weight: 16, arbitrary: resolving },
	{ weight: 8, arbitrary: expiring },
	{ weight: 8, arbitrary: doubting },
];
