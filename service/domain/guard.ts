/** The rule of a guard: at most one effect for a business key within a time. Pure. */
import type { Guard } from '../contract/steps';
import { canonicalJson } from './canonical-json';
import { sha256Hex } from './key';
import { effectiveState, type StepFacts } from './step';

/** Identifies a guard: its name, or that of the step, and the business key. */
export function guardSha256(step: string, { name, key }: Pick<Guard, 'name' | 'key'>): string {
	return sha256Hex(canonicalJson(['durable:v1:guard', name ?? step, key]));
}

/**
 * What the last step under the guard means for another one that is to be executed.
 * - `free`: nothing stands in the way.
 * - `repeated`: it has been done within the time.
 * - `in_progress`: it is being done, or waits to be done again.
 * - `in_doubt`: nobody knows whether it has been done.
 */
export function judgeGuard(
	last: StepFacts,
	withinMs: number,
	now: number,
): 'free' | 'repeated' | 'in_progress' | 'in_doubt' {
	switch (effectiveState(last, now)) {
		case 'failed':
			return 'free';
		case 'completed':
			return now - (last.settledAt ?? now) < withinMs ? 'repeated' : 'free';
		case 'in_doubt':
			return 'in_doubt';
		case 'claimed':
		case 'waiting_retry':
			return 'in_progress';
	}
}
