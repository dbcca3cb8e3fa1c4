import type { Decision, GateKind, GateState, Language, OnDeadline } from '../contract/gates';
import type { EditableField } from './editing';

/** What people are shown of a gate, the same in every channel and on every page. Texts are raw. */
export interface ShownGate {
	readonly gateId: string;
	readonly runId: string;
	/** The gate's name in its workflow. */
	readonly gate: string;
	readonly kind: GateKind;
	readonly state: GateState;
	readonly title: string;
	readonly message: string;
	readonly input: unknown;
	/** Milliseconds since the epoch, as every instant here. */
	readonly openedAt: number;
	readonly deadlineAt: number | undefined;
	readonly onDeadline: OnDeadline;
	/** IANA zone in which the deadline was given, else UTC. */
	readonly timeZone: string;
	/** Names of those who may decide now; empty: whoever was sent it. */
	readonly approvers: readonly string[];
	/** Whose request it is. */
	readonly requester: string | undefined;
	/** How many approvals it takes, and the names of those who have approved. */
	readonly quorum: number;
	readonly approvedBy: readonly string[];
	/** Whether asking for changes is offered beside approving and rejecting. */
	readonly offersChanges: boolean;
	/** What may be edited before approving; empty: nothing. */
	readonly editable: readonly EditableField[];
	/** When it was passed on to those who may decide now. */
	readonly escalatedAt: number | undefined;
	/** Undefined: the language of the reader's browser, and English in messages. */
	readonly language: Language | undefined;
	readonly decision: Decision | undefined;
	/** A newer question of the same place has taken its place. */
	readonly superseded: boolean;
	/** The waiting execution is gone: the decision had no effect. */
	readonly withoutEffect: boolean;
}
