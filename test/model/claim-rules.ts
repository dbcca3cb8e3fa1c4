/** What a claim must get, and what it makes of the model. */
import { passDeadlines } from './gate-rules';
import {
	enterRun,
	iso,
	isRefusal,
	ok,
	refused,
	shownState,
	type Expected,
	type Model,
	type Run,
	type Step,
} from './model';
import { ask, cancelQuestion } from './question-rules';
import { act } from './run-rules';
import type { Answer } from './world';

export interface ClaimRequest {
	readonly runId: string;
	readonly step: string;
	readonly input: Record<string, unknown>;
	readonly idempotencyKey?: string;
	readonly slot?: string;
	readonly claimId?: string;
	readonly leaseMs: number;
	readonly onInDoubt?: 'fail' | 'retry' | 'ask' | 'verify';
	readonly lookAfterMs?: number;
	readonly onInputChange?: 'stop' | 'run';
	readonly retry: { readonly maxAttempts: number };
	readonly receiverWindowMs?: number;
	readonly guard?: { key: string; withinMs: number; onRepeat: 'refuse' | 'replay' };
	readonly gateId?: string;
	readonly meta?: { readonly executionId: string };
}

const DAY_MS = 86_400_000;

/** What makes two claims ask for the same step. */
const identityOf = ({ step, input, idempotencyKey }: ClaimRequest) =>
	JSON.stringify(idempotencyKey === undefined ? [step, input] : [step, 'own', idempotencyKey]);

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** @param seen the journal's answer, of which only ids that the caller cannot know are used */
export function claim(model: Model, request: ClaimRequest, seen: Answer): Expected {
	const run = enterRun(model, request.runId);
	if (isRefusal(run)) return run;
	const ended = request.gateId === undefined ? undefined : passDeadlines(model, run);
	if (ended) return ended;
	const approved = run.gates.some(
		({ gateId, kind, state }) =>
			gateId === request.gateId && kind === 'approval' && state === 'approved',
	);
	if (request.gateId !== undefined && !approved) return refused('gate_not_approved');
	const step = run.steps.get(identityOf(request));
	return step
		? claimKnown(model, run, step, request, seen)
		: claimNew(model, run, request, seen.body.key);
}

/** Of the same step twice in one call, only the first is executed. */
export function claimMany(model: Model, requests: ClaimRequest[], seen: Answer): Expected {
	const executed = new Map<string, number>();
	const results = requests.map((request, index) => {
		const { runId, input } = request;
		const identity = JSON.stringify([runId, identityOf(request), input]);
		const sameAs = executed.get(identity);
		if (sameAs !== undefined) {
			rememberInSlot(model.runs.get(runId)!, request);
			return refused('step_in_progress', { sameAs });
		}
		const expected = claim(model, request, seen.body.results[index]);
		if (isExecute(expected)) executed.set(identity, index);
		return expected;
	});
	return ok({ results });
}

const isSettled = ({ state }: Step) => state === 'completed' || state === 'failed';

/** The place asked for this step last, unless it still waits for what came of another. */
function rememberInSlot(run: Run, request: ClaimRequest): void {
	const { slot } = request;
	if (slot === undefined) return;
	const previous = run.steps.get(run.slots.get(slot) ?? '');
	if (!previous || isSettled(previous)) run.slots.set(slot, identityOf(request));
}

const isExecute = ({ body = {} }: Expected) =>
	'outcome' in body && (body.outcome === 'execute' || body.outcome === 'verify');

function claimNew(model: Model, run: Run, request: ClaimRequest, key: string): Expected {
	const identity = identityOf(request);
	const previous = run.steps.get(run.slots.get(request.slot ?? '') ?? '');
	if (previous) {
		const settled = isSettled(previous);
		const before = previous.input as Record<string, unknown>;
		const changed = Object.keys(before)
			.filter((name) => !same(before[name], request.input[name]))
			.map((name) => `/${name}`);
		if (!settled || request.onInputChange !== 'run')
			return refused(settled ? 'step_input_changed' : 'step_unsettled', {
				previousKey: previous.key,
				changed,
			});
	}
	const refusal = guarded(model, run, request) ?? act(run);
	if (refusal) return refusal;
	const step: Step = {
		key,
		step: request.step,
		input: request.input,
		state: 'claimed',
		attempt: 0,
		token: 0,
		firstClaimedAt: model.now,
		attemptsBefore: 0,
		countedFrom: model.now,
		nextAttemptAt: undefined,
		completedAt: 0,
		doubtSince: 0,
		newestToken: 0,
		look: undefined,
		lookError: undefined,
		settledBy: undefined,
		result: undefined,
		error: undefined,
		...termsOf(model, request),
	};
	run.steps.set(identity, step);
	if (request.slot !== undefined) run.slots.set(request.slot, identity);
	takeGuard(model, run, request);
	return execute(run, step);
}

function claimKnown(
	model: Model,
	run: Run,
	step: Step,
	request: ClaimRequest,
	seen: Answer,
): Expected {
	const { key, attempt } = step;
	if (!same(step.input, request.input)) return refused('idempotency_key_reused', { key });
	rememberInSlot(run, request);
	const state = shownState(step, model.now);
	const repeated = request.claimId !== undefined && request.claimId === step.claimId;
	if (repeated && (state === 'claimed' || (state === 'in_doubt' && step.settledBy !== 'holder')))
		return executingAgain(model, run, step, request);
	if (state === 'in_doubt' && step.state === 'claimed') {
		Object.assign(step, { state, settledBy: 'clock', doubtSince: step.leaseEndsAt });
		run.events.push(`step.in_doubt ${key}`);
	}
	switch (state) {
		case 'completed':
			return ok({ outcome: 'replay', key, attempt, result: step.result!.value });
		case 'claimed':
			return refused('step_in_progress', { key, leaseExpiresAt: iso(step.leaseEndsAt) });
		case 'in_doubt': {
			const remembered = model.now - step.firstClaimedAt < (request.receiverWindowMs ?? DAY_MS);
			if (request.onInDoubt === 'retry' && remembered) return again(model, run, step, request);
			if (request.onInDoubt === 'verify') return look(model, run, step, request);
			if (request.onInDoubt === 'ask') ask(run, step, seen.body.gateId);
			return refused('step_in_doubt', { key, attempt });
		}
		case 'waiting_retry':
			if (step.nextAttemptAt! <= model.now) return again(model, run, step, request);
			return refused('step_waiting_retry', { key, nextAttemptAt: iso(step.nextAttemptAt!) });
		case 'failed': {
			const asking = request.meta?.executionId;
			if (step.settledBy === 'person' || asking === undefined || asking === step.executionId)
				return ok({
					outcome: 'failed',
					key,
					attempt,
					// What the journal writes where a person settled it is its own choice.
					...(step.error !== undefined && { error: { message: step.error } }),
				});
			return again(model, run, step, request);
		}
	}
}

function termsOf(model: Model, request: ClaimRequest) {
	return {
		claimId: request.claimId,
		executionId: request.meta?.executionId,
		leaseEndsAt: model.now + request.leaseMs,
		maxAttempts: request.retry.maxAttempts,
	};
}

function again(model: Model, run: Run, step: Step, request: ClaimRequest): Expected {
	const refusal = guarded(model, run, request) ?? act(run);
	if (refusal) return refusal;
	takeGuard(model, run, request);
	if (step.state === 'failed' || step.settledBy === 'person')
		Object.assign(step, { attemptsBefore: step.attempt, countedFrom: model.now });
	if (step.state === 'in_doubt') cancelQuestion(run, step, model.now);
	Object.assign(step, { state: 'claimed', settledBy: undefined, nextAttemptAt: undefined });
	Object.assign(step, { error: undefined, look: undefined, lookError: undefined });
	Object.assign(step, termsOf(model, request));
	return execute(run, step);
}

function execute(run: Run, step: Step): Expected {
	step.attempt++;
	step.token = ++step.newestToken;
	run.events.push(`step.claimed ${step.key}`);
	return executing(step);
}

/** The caller has not begun: there is no doubt, and it gets a lease that lives. */
function executingAgain(model: Model, run: Run, step: Step, request: ClaimRequest): Expected {
	if (step.state === 'in_doubt') {
		cancelQuestion(run, step, model.now);
		run.events.push(`step.claimed ${step.key}`);
	}
	const leaseEndsAt = Math.max(step.leaseEndsAt, model.now + request.leaseMs);
	Object.assign(step, { state: 'claimed', settledBy: undefined, leaseEndsAt });
	Object.assign(step, { look: undefined, lookError: undefined, error: undefined });
	return executing(step);
}

const guardOf = ({ step, guard }: ClaimRequest) => guard && `${step} ${guard.key}`;

function takeGuard(model: Model, run: Run, request: ClaimRequest): void {
	const guard = guardOf(request);
	if (guard) model.guards.set(guard, { runId: run.runId, identity: identityOf(request) });
}

/** Another step under the same guard, in this run or another. */
function guarded(model: Model, run: Run, request: ClaimRequest): Expected | undefined {
	const last = model.guards.get(guardOf(request) ?? '');
	const isSelf = last?.runId === run.runId && last.identity === identityOf(request);
	const step = last && !isSelf && model.runs.get(last.runId)?.steps.get(last.identity);
	if (!step) return undefined;
	const { withinMs, onRepeat } = request.guard!;
	const { key, attempt, result, completedAt } = step;
	switch (shownState(step, model.now)) {
		case 'failed':
			return undefined;
		case 'completed':
			if (model.now - completedAt >= withinMs) return undefined;
			return onRepeat === 'replay'
				? ok({ outcome: 'replay', key, attempt, result: result!.value, runId: last.runId })
				: refused('step_repeated', { key, runId: last.runId, completedAt: iso(completedAt) });
		case 'in_doubt':
			return refused('step_in_doubt', { key, runId: last.runId });
		default:
			return refused('step_in_progress', { key, runId: last.runId });
	}
}

/** One looks at a time, not before the receiver had time; to look is no attempt. */
function look(model: Model, run: Run, step: Step, request: ClaimRequest): Expected {
	const { key, attempt } = step;
	const live = step.look !== undefined && step.look.endsAt > model.now;
	const repeated = live && request.claimId !== undefined && request.claimId === step.look!.claimId;
	if (live && !repeated)
		return refused('step_in_progress', { key, leaseExpiresAt: iso(step.look!.endsAt) });
	const lookAt = step.doubtSince + (request.lookAfterMs ?? 5_000);
	if (!repeated && model.now < lookAt) return refused('step_in_doubt', { lookAt: iso(lookAt) });
	if (!repeated) {
		step.newestToken++;
		run.events.push(`step.look ${key}`);
	}
	const endsAt = model.now + request.leaseMs;
	step.look = { token: step.newestToken, endsAt, claimId: request.claimId };
	const leaseExpiresAt = iso(endsAt);
	return ok({ outcome: 'verify', key, attempt, fencingToken: step.newestToken, leaseExpiresAt });
}

function executing({ key, attempt, token, leaseEndsAt }: Step): Expected {
	const leaseExpiresAt = iso(leaseEndsAt);
	return ok({ outcome: 'execute', key, attempt, fencingToken: token, leaseExpiresAt });
}
