import type { SettledBy, StepState } from '../contract/steps';
import { sha256Hex } from '../domain/key';
import type { Queries } from './database';
import type { PayloadColumns } from './payloads';

export interface StepRow {
	id: number;
	run_ref: number;
	key: string;
	step: string;
	slot: string | null;
	fingerprint: string;
	input_json: string | null;
	input_ref: number | null;
	state: StepState;
	attempt: number;
	fencing_token: number;
	claim_id: string | null;
	first_claimed_at: number;
	/** Attempts before the ones that the retry limits count. */
	budget_attempt: number;
	/** From when `max_elapsed_ms` counts. */
	budget_started_at: number;
	claimed_at: number;
	lease_expires_at: number;
	max_attempts: number;
	max_elapsed_ms: number;
	next_attempt_at: number | null;
	settled_at: number | null;
	settled_by: SettledBy | null;
	/** 1: it failed because its attempts or its time were used up, which makes it a dead letter. */
	exhausted: 1 | null;
	result_json: string | null;
	result_ref: number | null;
	error_json: string | null;
	usage_json: string | null;
	resolution_json: string | null;
	execution_id: string | null;
	meta_json: string | null;
	/** The newest look into the other system; tokens of looks and attempts are one growing row. */
	look_token: number | null;
	/** Null once the look has reported, or something else came of the step. */
	look_until: number | null;
	look_claim_id: string | null;
	/** Why the last look did not find out. */
	look_error_json: string | null;
}

export const STEP_COLUMNS = `id, run_ref, key, step, slot, fingerprint, input_json, input_ref, state, attempt,
	fencing_token, claim_id, first_claimed_at, budget_attempt, budget_started_at, claimed_at, lease_expires_at, max_attempts,
	max_elapsed_ms, next_attempt_at, settled_at, settled_by, exhausted, result_json, result_ref, error_json,
	usage_json, resolution_json, execution_id, meta_json, look_token, look_until, look_claim_id, look_error_json`;

// Put together once: statements are cached by their text, and hashing a new long string each time
// costs as much as the look-up.
/** What a removed run still has is not seen any more. */
export const HAS_RUN = 'EXISTS (SELECT 1 FROM runs WHERE runs.id = steps.run_ref)';
const FIND = `SELECT ${STEP_COLUMNS} FROM steps WHERE namespace = ? AND key = ?`;
const FIND_LAST_OF_SLOT = `SELECT ${STEP_COLUMNS} FROM steps WHERE namespace = ?
	AND key = (SELECT step_key FROM slots WHERE slot_sha256 = ?
		AND run_ref = (SELECT id FROM runs WHERE namespace = ? AND run_id = ?))`;

export interface CompletedStep {
	attempt: number;
	fingerprint: string;
	settled_at: number;
	result_json: string | null;
	result_ref: number | null;
}

// Sub-selects, since a join on the same columns is planned anew for each value.
const FIND_COMPLETED = `SELECT attempt, fingerprint, settled_at, result_json, result_ref FROM steps
	WHERE namespace = ? AND state = 'completed' AND key = ? AND run_ref =
		(SELECT id FROM runs WHERE namespace = ? AND run_id = ? AND state <> 'cancelled')`;
const FIND_COMPLETED_OF_SLOT = `${FIND_COMPLETED}
	AND key = (SELECT step_key FROM slots WHERE run_ref = steps.run_ref AND slot_sha256 = ?)`;

/**
 * What a replay needs, in one look-up; nothing when the step is not completed, its run is cancelled,
 * or it is not the last step of the place that asks.
 */
export async function findCompletedStep(
	queries: Queries,
	namespace: string,
	runId: string,
	key: string,
	slot: string | undefined,
): Promise<CompletedStep | undefined> {
	return slot === undefined
		? await queries.get(FIND_COMPLETED, namespace, key, namespace, runId)
		: await queries.get(FIND_COMPLETED_OF_SLOT, namespace, key, namespace, runId, sha256Hex(slot));
}

/** Also one that a removed run still has: look for its run too. */
export async function findStep(
	queries: Queries,
	namespace: string,
	key: string,
): Promise<StepRow | undefined> {
	return await queries.get<StepRow>(FIND, namespace, key);
}

/** The last step that this place of the workflow asked for. */
export async function findLastStepOfSlot(
	queries: Queries,
	namespace: string,
	runId: string,
	slot: string,
): Promise<StepRow | undefined> {
	const slotSha256 = sha256Hex(slot);
	return await queries.get<StepRow>(FIND_LAST_OF_SLOT, namespace, slotSha256, namespace, runId);
}

export interface NewStep {
	readonly runRef: number;
	readonly key: string;
	readonly step: string;
	readonly slot: string | undefined;
	readonly fingerprint: string;
	readonly input: PayloadColumns;
	readonly claim: NewClaim;
}

/** What a claim writes, on a new step and on a known one. */
export interface NewClaim {
	readonly claimId: string | undefined;
	readonly leaseExpiresAt: number;
	readonly maxAttempts: number;
	readonly maxElapsedMs: number;
	readonly executionId: string | undefined;
	readonly metaJson: string | null;
}

/** Inserts a step in its first attempt, under fencing token 1; it becomes the last of its slot. */
export async function insertClaimedStep(
	queries: Queries,
	namespace: string,
	step: NewStep,
): Promise<void> {
	queries.send(
		`INSERT INTO steps (namespace, run_ref, key, step, slot, fingerprint, input_json, input_ref, state,
			attempt, fencing_token, claim_id, first_claimed_at, budget_attempt,
			budget_started_at, claimed_at, lease_expires_at, max_attempts, max_elapsed_ms, execution_id, meta_json)
		 VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'claimed', 1, 1, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?)`,
		namespace,
		step.runRef,
		step.key,
		step.step,
		step.slot ?? null,
		step.fingerprint,
		step.input.json,
		step.input.ref,
		step.claim.claimId ?? null,
		queries.now,
		queries.now,
		queries.now,
		step.claim.leaseExpiresAt,
		step.claim.maxAttempts,
		step.claim.maxElapsedMs,
		step.claim.executionId ?? null,
		step.claim.metaJson,
	);
	if (step.slot !== undefined) await bindSlot(queries, step.runRef, step.slot, step.key);
}

/** Makes a step the last one of a place of the workflow. */
export async function bindSlot(
	queries: Queries,
	runRef: number,
	slot: string,
	key: string,
): Promise<void> {
	queries.send(
		`INSERT INTO slots (run_ref, slot_sha256, step_key) VALUES (?, ?, ?)
		 ON CONFLICT (run_ref, slot_sha256) DO UPDATE SET step_key = excluded.step_key`,
		runRef,
		sha256Hex(slot),
		key,
	);
}

/**
 * A step as it was judged. What is written of it is fenced by this: where it has another token or
 * state by now, the transaction fails.
 */
export type JudgedStep = Pick<StepRow, 'id' | 'fencing_token' | 'state'>;

export const AS_JUDGED = 'WHERE id = ? AND fencing_token = ? AND state = ?';

/**
 * Begins another attempt: the token grows, so that every older holder is fenced off.
 * @param token greater than every one that was given before
 * @param newBudget whether the retry limits count anew from here
 */
export async function reclaimStep(
	queries: Queries,
	step: JudgedStep,
	token: number,
	claim: NewClaim,
	newBudget: boolean,
): Promise<void> {
	queries.send(
		`UPDATE steps SET state = 'claimed', attempt = attempt + 1, fencing_token = ?, look_until = NULL, look_error_json = NULL,
			claim_id = ?, claimed_at = ?, lease_expires_at = ?, max_attempts = ?, max_elapsed_ms = ?,
			execution_id = ?, meta_json = ?, next_attempt_at = NULL, settled_at = NULL, settled_by = NULL,
			exhausted = NULL, error_json = NULL, budget_attempt = CASE WHEN ? = 1 THEN attempt ELSE budget_attempt END,
			budget_started_at = CASE WHEN ? = 1 THEN ? ELSE budget_started_at END
		 ${AS_JUDGED}`,
		token,
		claim.claimId ?? null,
		queries.now,
		claim.leaseExpiresAt,
		claim.maxAttempts,
		claim.maxElapsedMs,
		claim.executionId ?? null,
		claim.metaJson,
		newBudget ? 1 : 0,
		newBudget ? 1 : 0,
		queries.now,
		step.id,
		step.fencing_token,
		step.state,
	);
}

export interface Settlement {
	readonly state: StepState;
	readonly by: SettledBy;
	/** Failed because attempts or time were used up. */
	readonly exhausted?: boolean;
	readonly result?: PayloadColumns;
	readonly errorJson?: string;
	readonly usageJson?: string;
	readonly resolutionJson?: string;
	readonly nextAttemptAt?: number;
}

/** Ends the current attempt and look, or settles again what was settled before. */
export async function settleStep(
	queries: Queries,
	step: JudgedStep,
	settlement: Settlement,
): Promise<void> {
	queries.send(
		`UPDATE steps SET state = ?, settled_at = ?, settled_by = ?, exhausted = ?, result_json = ?, result_ref = ?,
			error_json = ?, usage_json = ?, resolution_json = ?, next_attempt_at = ?, look_until = NULL
		 ${AS_JUDGED}`,
		settlement.state,
		queries.now,
		settlement.by,
		settlement.exhausted ? 1 : null,
		settlement.result?.json ?? null,
		settlement.result?.ref ?? null,
		settlement.errorJson ?? null,
		settlement.usageJson ?? null,
		settlement.resolutionJson ?? null,
		settlement.nextAttemptAt ?? null,
		step.id,
		step.fencing_token,
		step.state,
	);
}

/** Prolongs the lease of the newest claim, also of one that counts as in doubt since it ran out. */
export async function extendLease(
	queries: Queries,
	step: JudgedStep,
	leaseExpiresAt: number,
): Promise<void> {
	queries.send(
		`UPDATE steps SET state = 'claimed', settled_at = NULL, settled_by = NULL, error_json = NULL, lease_expires_at = ?,
			look_until = NULL, look_error_json = NULL
		 ${AS_JUDGED}`,
		leaseExpiresAt,
		step.id,
		step.fencing_token,
		step.state,
	);
}
