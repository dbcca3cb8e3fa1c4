import type { ClaimAnswer } from '../../service/contract/steps';
import { attempt } from './attempt';
import type { StepRequest } from './claim-step';
import type { JournalClient } from './journal-client';
import { keepLease } from './keep-lease';
import { completeStep, failStep, type Held } from './settle-step';
import { StepStopped } from './step-stopped';

export type Verify = Extract<ClaimAnswer, { outcome: 'verify' }>;

/** What a look into the other system found out about a call. */
export type Found =
	| { happened: true; result: unknown }
	| { happened: false; why: string }
	/** Nobody can tell: it stays in doubt. */
	| { happened: undefined; why: string };

/** Looks into the other system whether a call happened. What it throws leaves the doubt. */
export type LookUp = (look: Pick<Verify, 'key'>) => Promise<Found>;

const reasonOf = (error: unknown): string =>
	`The look-up failed: ${error instanceof Error ? error.message : String(error)}`;

/** While we looked, its executor came back, a person answered, or somebody else took over. */
const isOvertaken = (error: unknown): boolean =>
	error instanceof StepStopped && error.facts.kind === 'overtaken';

async function report(client: JournalClient, held: Held, found: Found): Promise<void> {
	if (found.happened) {
		await completeStep(client, held, found.result);
	} else if (found.happened === false) {
		await failStep(
			client,
			held,
			{ verdict: 'retryable', code: 'not_happened', message: found.why },
			'verify',
		);
	} else {
		await failStep(
			client,
			held,
			{ verdict: 'in_doubt', code: 'look_up_open', message: found.why },
			'fail',
		);
	}
}

/**
 * Looks whether the step in doubt happened, under the claim that allows it, and tells the journal.
 * Afterwards the step is to be claimed again, whoever settled it.
 * @throws StepStopped where it stays in doubt, with the reason, or where its attempts are used up
 */
export async function lookUpStep(
	client: JournalClient,
	{ step, leaseMs }: StepRequest,
	claim: Verify,
	lookUp: LookUp,
): Promise<void> {
	const held = { ...claim, step };
	const seen = await attempt(keepLease(client, held, leaseMs, lookUp(claim)));
	const found: Found = seen.ok ? seen.value : { happened: undefined, why: reasonOf(seen.error) };
	const told = await attempt(report(client, held, found));
	if (!told.ok && !isOvertaken(told.error)) throw told.error;
}
