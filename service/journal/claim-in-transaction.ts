import type { ClaimAnswer, ClaimManyItem } from '../contract/steps';
import { changedFields } from '../domain/changed-fields';
import { instant } from '../domain/instant';
import { plainValue } from '../domain/large-json';
import { DEFAULT_RETRY } from '../domain/retry-policy';
import {
	DEFAULT_LEASE_MS,
	DEFAULT_LOOK_AFTER_MS,
	DEFAULT_RECEIVER_WINDOW_MS,
	beginsAnew,
	effectiveState,
	judgeClaim,
	newestToken,
} from '../domain/step';
import type { Queries } from '../store/database';
import { loadPayload, storePayload } from '../store/payloads';
import { findRun, type RunRow } from '../store/runs';
import {
	extendLease,
	findLastStepOfSlot,
	findStep,
	insertClaimedStep,
	reclaimStep,
	type NewClaim,
	type StepRow,
} from '../store/steps';
import { actInRun, countStep } from './act-in-run';
import { appendAudit } from './append-audit';
import { answerLook, beingLookedAt } from './begin-look';
import { closeInDoubtGate } from './close-in-doubt-gate';
import { enterRun } from './enter-run';
import { heedGuard, takeGuard } from './heed-guard';
import { gateIsApproved } from './gate-is-approved';
import type { StepIdentity } from './identify-step';
import { NAMESPACE } from './journal';
import { refuseChangedInput, rememberInSlot } from './last-step-of-slot';
import { markInDoubt } from './mark-in-doubt';
import { openInDoubtGate } from './open-in-doubt-gate';
import { JournalProblem } from './problem';
import { replayAnswer } from './replay-step';
import { runCancelled } from './run-problem';
import { settleByDeadlines } from './settle-by-deadline';
import { stepFacts } from './step-facts';

type Answer = ClaimAnswer | JournalProblem;

/** One claim inside a transaction of the caller: the compare-and-set that makes it exclusive. */
export async function claimInTransaction(
	queries: Queries,
	request: ClaimManyItem,
	identity: StepIdentity,
): Promise<Answer> {
	const { runId, slot } = request;
	// Asked for at the same time: a store over the network answers all three in the time of one.
	const [found, known, previous] = await Promise.all([
		findRun(queries, NAMESPACE, runId),
		findStep(queries, NAMESPACE, identity.key),
		slot === undefined ? undefined : findLastStepOfSlot(queries, NAMESPACE, runId, slot),
	]);
	const run = await enterRun(queries, runId, { found });
	if (run instanceof JournalProblem) return run;
	const refusal = await refuseBehindGate(queries, run, request.gateId);
	if (refusal) return refusal;
	return known
		? await claimKnownStep(queries, run, known, previous, request, identity)
		: await claimNewStep(queries, run, previous, request, identity);
}

async function refuseBehindGate(
	queries: Queries,
	run: RunRow,
	gateId: string | undefined,
): Promise<JournalProblem | undefined> {
	if (gateId === undefined) return undefined;
	await settleByDeadlines(queries, run);
	if (run.state === 'cancelled') return runCancelled(run);
	if (await gateIsApproved(queries, run.id, gateId)) return undefined;
	return new JournalProblem('gate_not_approved', { gateId });
}

async function claimNewStep(
	queries: Queries,
	run: RunRow,
	previous: StepRow | undefined,
	request: ClaimManyItem,
	identity: StepIdentity,
): Promise<Answer> {
	if (previous) {
		const refusal = await refuseChangedInput(queries, previous, request);
		if (refusal) return refusal;
	}
	const guarded = await heedGuard(queries, identity.key, request);
	if (guarded) return guarded;
	const refusal = (await actInRun(queries, run)) ?? countStep(run);
	if (refusal) return refusal;
	const claim = newClaim(queries, request);
	await insertClaimedStep(queries, NAMESPACE, {
		runRef: run.id,
		key: identity.key,
		step: request.step,
		slot: request.slot,
		fingerprint: identity.fingerprint,
		input: await storePayload(queries, request.input),
		claim,
	});
	takeGuard(queries, { run_ref: run.id, key: identity.key }, request);
	await appendAudit(queries, run, 'step.claimed', identity.key, { attempt: 1 });
	return executeAnswer(identity.key, 1, 1, claim.leaseExpiresAt);
}

async function claimKnownStep(
	queries: Queries,
	run: RunRow,
	step: StepRow,
	previous: StepRow | undefined,
	request: ClaimManyItem,
	identity: StepIdentity,
): Promise<Answer> {
	if (step.fingerprint !== identity.fingerprint) {
		const before = await loadPayload(queries, { json: step.input_json, ref: step.input_ref });
		const changed = changedFields(before, plainValue(request.input));
		return new JournalProblem('idempotency_key_reused', { key: step.key, changed });
	}
	await rememberInSlot(queries, run.id, request.slot, previous, step.key);
	const facts = stepFacts(step);
	const verdict = judgeClaim(
		facts,
		{
			claimId: request.claimId,
			executionId: request.meta?.executionId,
			onInDoubt: request.onInDoubt ?? 'fail',
			receiverWindowMs: request.receiverWindowMs ?? DEFAULT_RECEIVER_WINDOW_MS,
			lookAfterMs: request.lookAfterMs ?? DEFAULT_LOOK_AFTER_MS,
		},
		queries.now,
	);
	if (step.state === 'claimed' && effectiveState(facts, queries.now) === 'in_doubt')
		if (verdict.kind !== 'again') await markInDoubt(queries, run, step);
	const { key, attempt } = step;
	switch (verdict.kind) {
		case 'replay':
			return await replayAnswer(queries, key, step);
		case 'failed':
			return { outcome: 'failed', key, attempt, error: JSON.parse(step.error_json!) };
		case 'again':
			return await answerAgain(queries, run, step, newClaim(queries, request).leaseExpiresAt);
		case 'execute': {
			const guarded = await heedGuard(queries, key, request);
			if (guarded) return guarded;
			const refusal = await actInRun(queries, run);
			if (refusal) return refusal;
			const claim = newClaim(queries, request);
			const token = newestToken(facts) + 1;
			await reclaimStep(queries, step, token, claim, beginsAnew(facts));
			takeGuard(queries, step, request);
			await appendAudit(queries, run, 'step.claimed', key, { attempt: attempt + 1 });
			if (step.state === 'in_doubt') await closeInDoubtGate(queries, step);
			return executeAnswer(key, attempt + 1, token, claim.leaseExpiresAt);
		}
		case 'in_progress':
			return new JournalProblem('step_in_progress', {
				key,
				attempt,
				leaseExpiresAt: instant(step.lease_expires_at),
				retryAfterMs: step.lease_expires_at - queries.now,
			});
		case 'waiting_retry':
			return new JournalProblem('step_waiting_retry', {
				key,
				attempt,
				nextAttemptAt: instant(step.next_attempt_at!),
				retryAfterMs: step.next_attempt_at! - queries.now,
			});
		case 'look':
			return await answerLook(queries, run, step, verdict.token, newClaim(queries, request));
		case 'being_looked_at':
			return beingLookedAt(queries, step, verdict.until);
		case 'in_doubt': {
			const gateId = verdict.ask
				? await openInDoubtGate(queries, run, step, request.meta)
				: undefined;
			return new JournalProblem('step_in_doubt', {
				key,
				attempt,
				startedAt: instant(step.claimed_at),
				...(gateId && { gateId }),
				...(verdict.lookAt !== undefined && {
					lookAt: instant(verdict.lookAt),
					retryAfterMs: verdict.lookAt - queries.now,
				}),
			});
		}
	}
}

/** The first answer to the same claim, with a lease that is worth having. */
async function answerAgain(
	queries: Queries,
	run: RunRow,
	step: StepRow,
	wantedUntil: number,
): Promise<ClaimAnswer> {
	const { key, attempt, fencing_token: token } = step;
	const leaseExpiresAt = Math.max(step.lease_expires_at, wantedUntil);
	await extendLease(queries, step, leaseExpiresAt);
	if (step.state === 'in_doubt') {
		await appendAudit(queries, run, 'step.claimed', key, { attempt });
		await closeInDoubtGate(queries, step);
	}
	return executeAnswer(key, attempt, token, leaseExpiresAt);
}

function newClaim(queries: Queries, request: ClaimManyItem): NewClaim {
	return {
		claimId: request.claimId,
		leaseExpiresAt: queries.now + (request.leaseMs ?? DEFAULT_LEASE_MS),
		maxAttempts: request.retry?.maxAttempts ?? DEFAULT_RETRY.maxAttempts,
		maxElapsedMs: request.retry?.maxElapsedMs ?? DEFAULT_RETRY.maxElapsedMs,
		executionId: request.meta?.executionId,
		metaJson: request.meta ? JSON.stringify(request.meta) : null,
	};
}

function executeAnswer(
	key: string,
	attempt: number,
	fencingToken: number,
	leaseExpiresAt: number,
): ClaimAnswer {
	return {
		outcome: 'execute',
		key,
		attempt,
		fencingToken,
		leaseExpiresAt: instant(leaseExpiresAt),
	};
}
