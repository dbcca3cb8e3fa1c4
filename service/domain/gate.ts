/** The rules of a gate: what may be asked, which decisions it knows, and what they make of it. Pure. */
import type {
	DecisionWord,
	GateKind,
	GateState,
	OnDeadline,
	OpenGateRequest,
	Rejection,
} from '../contract/gates';
import { fingerprint } from './key';
import { canonicalJson } from './canonical-json';

const WORDS: Record<GateKind, readonly DecisionWord[]> = {
	approval: ['approve', 'reject', 'changes'],
	in_doubt: ['happened', 'not_happened', 'stop'],
};

/** The decisions that a gate of this kind knows. */
export function wordsOf(kind: GateKind): readonly DecisionWord[] {
	return WORDS[kind];
}

/** What of the request people see and decide about; its hash stands in every decision. */
export function shownSha256(request: Pick<OpenGateRequest, 'title' | 'message' | 'input'>): string {
	const { title, message, input } = request;
	return fingerprint({ title, message, input });
}

/** One person's word on a gate. */
export interface Voice {
	readonly by: string;
	readonly decision: DecisionWord;
}

/** How many approvals a gate needs, and what one rejection does. */
export interface QuorumRule {
	readonly quorum: number;
	readonly rejection: Rejection;
	/** Names of those who may decide it now. */
	readonly voters: readonly string[];
}

/**
 * The state that the voices so far give. Approvals settle when they reach the quorum. A rejection
 * settles at once, or, where rejections count, once those who have not spoken are too few for the
 * quorum; asking for changes always does. One voice a person.
 */
export function stateAfter(kind: GateKind, rule: QuorumRule, voices: readonly Voice[]): GateState {
	if (kind === 'in_doubt') {
		if (voices.length === 0) return 'open';
		return voices[0]!.decision === 'happened' ? 'approved' : 'rejected';
	}
	const spoken = (word: DecisionWord) => voices.filter(({ decision }) => decision === word).length;
	if (spoken('changes') > 0) return 'rejected';
	if (spoken('reject') > 0 && rule.rejection === 'ends') return 'rejected';
	const approvals = spoken('approve');
	if (approvals >= rule.quorum) return 'approved';
	if (spoken('reject') === 0) return 'open';
	const silent = rule.voters.filter((name) => !voices.some(({ by }) => by === name)).length;
	return approvals + silent < rule.quorum ? 'rejected' : 'open';
}

export type DeadlineOutcome =
	| {
			readonly state: 'approved' | 'expired';
			readonly decision: 'approve' | 'reject';
			readonly cancelsRun: boolean;
	  }
	/** Others are asked, with a deadline of their own. */
	| { readonly state: 'open' };

/**
 * What a deadline makes of an open gate. Silence counts as consent only of people who were asked:
 * with a channel, a message must have arrived.
 * @returns undefined when the gate goes on waiting
 */
export function deadlineOutcome(
	policy: OnDeadline,
	asked: { hasChannel: boolean; delivered: boolean },
): DeadlineOutcome | undefined {
	if (policy === 'wait') return undefined;
	if (policy === 'escalate') return { state: 'open' };
	if (policy === 'approve' && (!asked.hasChannel || asked.delivered))
		return { state: 'approved', decision: 'approve', cancelsRun: false };
	return { state: 'expired', decision: 'reject', cancelsRun: policy === 'abort' };
}

/**
 * Who asks and where to wake it is said anew by every open, and another input is another gate; all
 * else is frozen by the first.
 */
const NOT_FROZEN = new Set<string>(['resumeUrl', 'meta', 'input']);

/** The members of a later open that differ from the first, and are therefore ignored. */
export function ignoredMembers(
	first: Omit<OpenGateRequest, 'input'>,
	later: OpenGateRequest,
): string[] {
	const names = [...new Set([...Object.keys(first), ...Object.keys(later)])];
	return names.filter((name) => {
		const member = name as keyof OpenGateRequest;
		return (
			!NOT_FROZEN.has(name) &&
			canonicalJson((first as Partial<OpenGateRequest>)[member]) !== canonicalJson(later[member])
		);
	});
}
