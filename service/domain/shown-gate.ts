import type { Decision, GateKind, GateState, OnDeadline } from '../contract/gates';

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
	/** Names of those who may decide; empty: whoever was sent it. */
	readonly approvers: readonly string[];
	readonly decision: Decision | undefined;
	/** The waiting execution is gone: the decision had no effect. */
	readonly withoutEffect: boolean;
}
