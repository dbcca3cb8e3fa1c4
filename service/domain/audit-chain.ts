import { canonicalJson } from './canonical-json';
import { sha256Hex } from './key';

/** What the chain hashes: opaque ids and enumerations only, so that erasing a run keeps it whole. */
export interface AuditFact {
	readonly seq: number;
	/** Milliseconds since the epoch. */
	readonly at: number;
	readonly type: AuditType;
	/** Step key or gate id. */
	readonly subject: string | undefined;
	readonly data: Record<string, string | number>;
}

export type AuditType =
	| 'run.started'
	| 'run.completed'
	| 'run.failed'
	| 'run.cancelled'
	| 'run.dead'
	| 'run.reopened'
	| 'run.erased'
	| 'run.pruned'
	| 'step.claimed'
	| 'step.completed'
	| 'step.failed'
	| 'step.waiting_retry'
	| 'step.in_doubt'
	| 'step.look'
	| 'step.resolved'
	| 'gate.opened'
	| 'gate.voice'
	| 'gate.decided'
	| 'gate.escalated'
	| 'gate.reminded'
	| 'gate.superseded'
	| 'gate.cancelled'
	| 'gate.refused';

/** The hash before the first event of a run. */
export const AUDIT_GENESIS = '0'.repeat(64);

/** Each event's hash covers the one before: removing or changing one breaks all that follow. */
export function auditHash(previousHash: string, fact: AuditFact): string {
	return sha256Hex(previousHash + canonicalJson(fact));
}
