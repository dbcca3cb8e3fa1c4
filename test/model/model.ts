/**
 * What the contract says the journal knows, as plain data that can be copied. It is written from
 * DESIGN.md and shares no rule with the service. Instants are milliseconds since the epoch.
 */

export type StepState = 'claimed' | 'completed' | 'failed' | 'in_doubt' | 'waiting_retry';
export type GateState = 'open' | 'approved' | 'rejected' | 'expired' | 'cancelled';

export interface Step {
	readonly key: string;
	readonly step: string;
	readonly input: object;
	state: StepState;
	attempt: number;
	token: number;
	claimId: string | undefined;
	executionId: string | undefined;
	firstClaimedAt: number;
	leaseEndsAt: number;
	nextAttemptAt: number | undefined;
	/** When the attempt came to be in doubt. */
	doubtSince: number;
	settledBy: 'holder' | 'person' | 'clock' | 'look' | 'n8n' | undefined;
	completedAt: number;
	/** Of a completed step; wrapped, since null is a result. */
	result: { value: unknown } | undefined;
	error: string | undefined;
	maxAttempts: number;
	/** The highest token of an attempt or a look. */
	newestToken: number;
	/** A look that has not reported, and of whose step nothing came since. */
	look: { token: number; endsAt: number; claimId: string | undefined } | undefined;
	/** What the last look said that did not find out. */
	lookError: { token: number; message: string } | undefined;
	/** Attempts and time that the retry limits do not count. */
	attemptsBefore: number;
	countedFrom: number;
}

export interface Waiter {
	readonly url: string;
	state: 'waiting' | 'pending' | 'done';
	/** When it is woken; undefined when only the journal knows. */
	dueAt: number | undefined;
}

export interface Gate {
	readonly gateId: string;
	readonly request: any;
	readonly kind: 'approval' | 'in_doubt';
	/** The key of the step that it asks about. */
	readonly about: string | undefined;
	deadlineAt: number | null;
	/** What its deadline makes of it. */
	policy: 'reject' | 'approve' | 'abort' | 'wait' | 'escalate';
	/** Those who may decide it now; the admin key decides in any name. */
	voters: string[];
	state: GateState;
	voices: Array<{ by: string; decision: string }>;
	decision: { decision: string; by: string; via: string } | null;
	supersededBy: string | undefined;
	waiters: Waiter[];
}

export interface Run {
	readonly runId: string;
	state: 'active' | 'completed' | 'failed' | 'dead' | 'cancelled' | 'erased';
	/** Of a completed run; wrapped, since null is a result. */
	result: { value: unknown } | undefined;
	/** By what identifies a step to its callers. */
	steps: Map<string, Step>;
	/** The identity of the newest step of each place. */
	slots: Map<string, string>;
	/** In the order in which they were opened. */
	gates: Gate[];
	/** What the audit holds, as `type subject`. */
	events: string[];
}

/** A claim that a worker was told to execute, perhaps long ago. */
export interface Held {
	readonly key: string;
	readonly token: number;
}

export interface Model {
	now: number;
	/** The identity of the newest step under each guard: its run and what identifies it there. */
	guards: Map<string, { runId: string; identity: string }>;
	runs: Map<string, Run>;
	/** What each worker remembers. */
	workers: Held[][];
}

/** What an answer must hold; it may hold more. */
export interface Expected {
	readonly status: number;
	readonly body?: object;
}

export function emptyModel(now: number, workers: number): Model {
	return {
		now,
		guards: new Map(),
		runs: new Map(),
		workers: Array.from({ length: workers }, () => []),
	};
}

export function ok(body: object): Expected {
	return { status: 200, body };
}

const STATUS: Record<string, number> = {
	invalid_request: 400,
	not_found: 404,
	run_erased: 410,
	idempotency_key_reused: 422,
};

export function refused(code: string, members: object = {}): Expected {
	return { status: STATUS[code] ?? 409, body: { code, ...members } };
}

export const isRefusal = (found: object): found is Expected => 'status' in found;

/** The run of that id, begun if need be. */
export function findOrBeginRun(model: Model, runId: string): Run | Expected {
	const known = model.runs.get(runId);
	if (known) return known.state === 'erased' ? refused('run_erased') : known;
	const run: Run = {
		runId,
		state: 'active',
		result: undefined,
		steps: new Map(),
		slots: new Map(),
		gates: [],
		events: ['run.started '],
	};
	model.runs.set(runId, run);
	return run;
}

/** As findOrBeginRun, for what a cancelled run refuses. */
export function enterRun(model: Model, runId: string): Run | Expected {
	const run = findOrBeginRun(model, runId);
	return !isRefusal(run) && run.state === 'cancelled' ? refused('run_cancelled') : run;
}

export function allSteps(model: Model): Array<{ run: Run; step: Step }> {
	return [...model.runs.values()].flatMap((run) =>
		[...run.steps.values()].map((step) => ({ run, step })),
	);
}

export function allGates(model: Model): Array<{ run: Run; gate: Gate }> {
	return [...model.runs.values()].flatMap((run) => run.gates.map((gate) => ({ run, gate })));
}

/** A lease that ran out is doubt, whether or not anybody has looked. */
export function shownState(step: Step, now: number): StepState {
	return step.state === 'claimed' && step.leaseEndsAt <= now ? 'in_doubt' : step.state;
}

export const iso = (ms: number) => new Date(ms).toISOString();
