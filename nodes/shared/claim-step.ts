import { sleep } from 'n8n-workflow';
import type { ClaimAnswer, ClaimRequest } from '../../service/contract/steps';
import { attempt } from './attempt';
import type { JournalClient } from './journal-client';
import { aboutStep, JournalError } from './journal-error';
import { lookUpStep, type LookUp, type Verify } from './look-up';
import { isOmittedResult } from './omitted-result';
import { StepStopped } from './step-stopped';

export type Execute = Extract<ClaimAnswer, { outcome: 'execute' }>;
export type Replay = Extract<ClaimAnswer, { outcome: 'replay' }>;
export type StepRequest = Omit<ClaimRequest, 'claimId' | 'waitMs'>;

/** What the contract allows for one request. */
export const LONGEST_CLAIM_WAIT_MS = 30_000;
/** Between two looks at a step that somebody else holds, when the journal gives no instant. */
const PAUSE_MS = 250;

/**
 * When to ask again for a step that is held or waits, about which people were asked, or that may be
 * looked up soon, as Unix epoch ms; undefined for other refusals.
 */
function nextChance(error: unknown): number | undefined {
	if (!(error instanceof JournalError)) return undefined;
	const { code, problem } = error;
	if (code === 'step_in_doubt' && problem?.lookAt) return Date.parse(problem.lookAt);
	const asked = code === 'step_in_doubt' && problem?.gateId !== undefined;
	if (!asked && code !== 'step_in_progress' && code !== 'step_waiting_retry') return undefined;
	return problem?.nextAttemptAt ? Date.parse(problem.nextAttemptAt) : Date.now() + PAUSE_MS;
}

/** Sorts out the answers with which a node cannot go on. */
function take(client: JournalClient, step: string, answer: ClaimAnswer): Execute | Replay | Verify {
	if (answer.outcome === 'execute' || answer.outcome === 'verify') return answer;
	const { key, attempt: tries } = answer;
	const facts = { step, key, attempt: tries, origin: client.origin };
	if (answer.outcome === 'failed') {
		throw new StepStopped({ ...facts, kind: 'failed', error: answer.error });
	}
	if (isOmittedResult(answer.result)) throw new StepStopped({ ...facts, kind: 'result_omitted' });
	return answer;
}

/**
 * Claims a step, waiting for another holder, for the step's next attempt or for people's answer about
 * a doubt as long as `waitMs` allows. A stored failure, a doubt and a wait that is too long are thrown.
 * @param waitMs how long to wait at most, in ms
 * @param lookUp how to find out whether a step in doubt happened; required by onInDoubt "verify"
 */
export async function claimStep(
	client: JournalClient,
	request: StepRequest,
	waitMs: number,
	lookUp?: LookUp,
): Promise<Execute | Replay> {
	// Before the claim: one that nobody follows up would keep others from looking.
	if (request.onInDoubt === 'verify' && !lookUp) {
		throw new Error('On Doubt: Look It Up is not possible here: choose another.');
	}
	const giveUpAt = Date.now() + waitMs;
	for (;;) {
		const left = Math.max(0, giveUpAt - Date.now());
		const asked = await attempt(
			client.claim({ ...request, waitMs: Math.min(left, LONGEST_CLAIM_WAIT_MS) }),
		);
		if (asked.ok) {
			const claim = take(client, request.step, asked.value);
			if (claim.outcome !== 'verify') return claim;
			await lookUpStep(client, request, claim, lookUp!);
			continue;
		}
		const at = nextChance(asked.error);
		if (at === undefined || at > giveUpAt) throw aboutStep(asked.error, request.step, false);
		await sleep(Math.max(at - Date.now(), 0) + 1);
	}
}
