import type { DecisionWord } from '../contract/gates';
import type { ShownGate } from '../domain/shown-gate';
import { answersOf } from '../domain/texts/gate-sentences';

const MAX_COMMENT = 4096;

export interface DecisionForm {
	readonly decision: DecisionWord;
	readonly comment?: string;
}

/**
 * Reads a posted answer.
 * @param body as parsed from `application/x-www-form-urlencoded`
 * @returns undefined when it is none that this gate offers
 */
export function readDecisionForm(body: unknown, gate: ShownGate): DecisionForm | undefined {
	const { decision, comment = '' } = (body ?? {}) as Record<string, unknown>;
	const word = answersOf(gate).find((answer) => answer === decision);
	// A field that is sent twice arrives as a list.
	if (!word || typeof comment !== 'string' || comment.length > MAX_COMMENT) return undefined;
	const trimmed = comment.replace(/\r\n?/g, '\n').trim();
	return { decision: word, ...(trimmed !== '' && { comment: trimmed }) };
}
