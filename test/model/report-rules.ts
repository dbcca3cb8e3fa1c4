/** What complete, fail, renew and resolve must get, and what they make of the model. */
import { cancelQuestion } from './question-rules';
import {
	allSteps,
	iso,
	ok,
	refused,
	shownState,
	type Expected,
	type Model,
	type Run,
	type Step,
} from './model';
import { takeUpUnlessFinal } from './run-rules';
import type { Answer } from './world';

const DAY_MS = 86_400_000;
const LONGEST_BACKOFF_MS = 300_000;

const find = (model: Model, key: string) => allSteps(model).find(({ step }) => step.key === key);

/**
 * The newest holder may report until somebody settled the step, and after a person or a look let it
 * go on: a look fences nobody off.
 */
function isHolder(step: Step, token: number): boolean {
	if (token !== step.token) return false;
	if (step.state === 'waiting_retry')
		return step.settledBy === 'person' || step.settledBy === 'look';
	return step.state === 'claimed' || step.state === 'in_doubt';
}

/** Who looked may report while nothing else came of the step. */
const isLooking = (step: Step, token: number) =>
	step.state === 'in_doubt' && step.look?.token === token;

export function complete(model: Model, key: string, token: number, result: unknown): Expected {
	const found = find(model, key);
	if (!found) return refused('not_found');
	const { run, step } = found;
	const looked = step.settledBy === 'look' && token === step.newestToken;
	if (step.state === 'completed' && (token === step.token || looked))
		return JSON.stringify(step.result!.value) === JSON.stringify(result)
			? ok({ state: 'completed' })
			: refused('result_conflict');
	const looking = isLooking(step, token);
	if (!looking && !isHolder(step, token)) return refused('lease_lost');
	const settledBy = looking ? 'look' : 'holder';
	settle(model, run, step, {
		state: 'completed',
		settledBy,
		completedAt: model.now,
		result: { value: result },
	});
	run.events.push(`step.completed ${key}`);
	return ok({ state: 'completed' });
}

export interface FailReport {
	readonly fencingToken: number;
	readonly error: { readonly message: string };
	readonly verdict: 'retryable' | 'terminal' | 'in_doubt';
	readonly retryAfterMs?: number;
}

export function fail(model: Model, key: string, report: FailReport, seen: Answer): Expected {
	const found = find(model, key);
	if (!found) return refused('not_found');
	const { run, step } = found;
	const { fencingToken: token, verdict } = report;
	if (token === step.token && step.settledBy === 'holder' && step.state !== 'completed')
		return stateOf(step);
	if (isLooking(step, token)) return lookFailed(model, run, step, report, seen);
	if (isReportedLook(step, token)) return stateOf(step);
	if (!isHolder(step, token)) return refused('lease_lost');
	const after = failure(model, step, report, seen);
	settle(model, run, step, { settledBy: 'holder', error: report.error.message, ...after });
	run.events.push(`step.${step.state} ${key}`);
	if (verdict === 'in_doubt') expect(step.state).toBe('in_doubt');
	return stateOf(step);
}

/** The same report of a look again. */
function isReportedLook(step: Step, token: number): boolean {
	if (token !== step.newestToken || token === step.token || step.look) return false;
	if (step.state === 'in_doubt') return step.lookError !== undefined;
	return step.settledBy === 'look' && step.state !== 'completed';
}

/** It did not find out, or it did not happen: then it may be tried at once, within the limits. */
function lookFailed(
	model: Model,
	run: Run,
	step: Step,
	report: FailReport,
	seen: Answer,
): Expected {
	const { message } = report.error;
	if (report.verdict === 'in_doubt') {
		step.look = undefined;
		step.lookError = { token: step.newestToken, message };
	} else {
		const after = failure(model, step, report, seen);
		const wish = Math.min(report.retryAfterMs ?? 0, DAY_MS);
		if (after.state === 'waiting_retry') expect(after.nextAttemptAt).toBe(model.now + wish);
		settle(model, run, step, { settledBy: 'look', error: message, ...after });
	}
	run.events.push(`step.${step.state} ${step.key}`);
	return stateOf(step);
}

/** How long it waits is the journal's choice, within what the receiver asked for and the limits. */
function failure(model: Model, step: Step, report: FailReport, seen: Answer): Partial<Step> {
	if (report.verdict === 'in_doubt') return { state: 'in_doubt' };
	if (report.verdict === 'terminal' || step.attempt - step.attemptsBefore >= step.maxAttempts)
		return { state: 'failed' };
	const earliest = model.now + Math.min(report.retryAfterMs ?? 0, DAY_MS);
	const latest = Math.max(earliest, model.now + LONGEST_BACKOFF_MS);
	const lastAllowed = step.countedFrom + DAY_MS;
	if (seen.body.state === 'failed' && latest > lastAllowed) return { state: 'failed' };
	const nextAttemptAt = Date.parse(seen.body.nextAttemptAt);
	expect(nextAttemptAt).toBeGreaterThanOrEqual(earliest);
	expect(nextAttemptAt).toBeLessThanOrEqual(Math.min(latest, lastAllowed));
	return { state: 'waiting_retry', nextAttemptAt };
}

export function renew(model: Model, key: string, token: number, leaseMs: number): Expected {
	const found = find(model, key);
	if (!found) return refused('not_found');
	const { step } = found;
	const endsAt = model.now + leaseMs;
	if (shownState(step, model.now) === 'claimed' && token === step.token) step.leaseEndsAt = endsAt;
	else if (isLooking(step, token) && step.look!.endsAt > model.now) step.look!.endsAt = endsAt;
	else return refused('lease_lost');
	return ok({ leaseExpiresAt: iso(endsAt) });
}

export interface Resolution {
	readonly as: 'completed' | 'failed' | 'retry';
	readonly result?: unknown;
}

export function resolve(model: Model, key: string, resolution: Resolution): Expected {
	const found = find(model, key);
	if (!found) return refused('not_found');
	const { run, step } = found;
	if (!['in_doubt', 'failed', 'waiting_retry'].includes(shownState(step, model.now)))
		return refused('step_not_resolvable');
	resolveStep(model, run, step, resolution);
	return stateOf(step);
}

/** @param answered whether its own question is what settles it, which is then not cancelled */
export function resolveStep(
	model: Model,
	run: Run,
	step: Step,
	{ as, result }: Resolution,
	answered = false,
): void {
	const after: Record<Resolution['as'], Partial<Step>> = {
		completed: { state: 'completed', result: { value: result }, completedAt: model.now },
		failed: { state: 'failed' },
		retry: { state: 'waiting_retry', nextAttemptAt: model.now },
	};
	if (!answered) cancelQuestion(run, step, model.now);
	Object.assign(step, { nextAttemptAt: undefined, settledBy: 'person', error: undefined });
	step.look = undefined;
	Object.assign(step, after[as]);
	if (as === 'retry') takeUpUnlessFinal(run);
	run.events.push(`step.resolved ${step.key}`);
}

/** Every step whose lease ran out is in doubt. */
export function expireLeases(model: Model): void {
	for (const { run, step } of allSteps(model)) {
		if (step.state !== 'claimed' || step.leaseEndsAt > model.now) continue;
		Object.assign(step, { state: 'in_doubt', settledBy: 'clock', doubtSince: step.leaseEndsAt });
		run.events.push(`step.in_doubt ${step.key}`);
	}
}

/**
 * n8n says that the execution which holds the step crashed: in doubt at once, while its lease lives.
 * @param seen where the lease changed hands or was renewed meanwhile, n8n's word does not count
 */
export function holderDied(model: Model, key: string, asking: string, seen: Answer): Expected {
	const found = find(model, key);
	if (seen.body.state !== 'doubted') return ok({ state: 'not doubted' });
	expect(found && shownState(found.step, model.now)).toBe('claimed');
	const { run, step } = found!;
	expect([undefined, asking]).not.toContain(step.executionId);
	const error = `n8n says that execution ${step.executionId}, which held this step, is "crashed"`;
	Object.assign(step, { state: 'in_doubt', settledBy: 'n8n', doubtSince: model.now, error });
	run.events.push(`step.in_doubt ${key}`);
	return ok({ state: 'doubted' });
}

function settle(model: Model, run: Run, step: Step, after: Partial<Step>): void {
	if (after.state !== 'in_doubt') cancelQuestion(run, step, model.now);
	Object.assign(step, { nextAttemptAt: undefined, error: undefined, look: undefined, ...after });
	if (after.state === 'in_doubt') step.doubtSince = model.now;
}

function stateOf({ state, nextAttemptAt }: Step): Expected {
	return ok({ state, ...(nextAttemptAt !== undefined && { nextAttemptAt: iso(nextAttemptAt) }) });
}
