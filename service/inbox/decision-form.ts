import type { DecisionWord, GateKind } from '../contract/gates';
import { ANSWERS } from '../domain/texts';

const MAX_COMMENT = 4096;

export interface DecisionForm {
	readonly decision: DecisionWord;
	readonly comment?: string;
}

/**
 * Reads a posted answer.
 * @param body as parsed from `application/x-www-form-urlencoded`
 * @returns undefined when it is none that a gate of this kind knows
 */
export function readDecisionForm(body: unknown, kind: GateKind): DecisionForm | undefined {
	const { decision, comment = '' } = (body ?? {}) as Record<string, unknown>;
	const word = ANSWERS[kind].find((answer) => answer === decision);
	// A field that is sent twice arrives as a list.
	if (!word || typeof comment !== 'string' || comment.length > MAX_COMMENT) return undefined;
	const trimmed = comment.replace(/\r\n?/g, '\n').trim();
	return { decision: word, ...(trimmed !== '' && { comment: trimmed }) };
}
