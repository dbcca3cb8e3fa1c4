import { AUDIT_GENESIS, auditHash, type AuditType } from '../domain/audit-chain';
import { insertAuditRow, type RunCounts } from '../store/audit';
import type { Queries } from '../store/database';

/**
 * The head of a run's chain; `findRun` returns it. It is moved in place, so that several events
 * follow. What counts a step or gate counts it here, and the event writes it.
 */
export interface AuditHead extends RunCounts {
	readonly id: number;
	audit_seq: number;
	audit_hash: string;
}

/**
 * Appends one fact to the hash chain of a run, in the transaction that made it true.
 * @param subject step key or gate id
 * @param data opaque ids, enumerations and numbers only: the chain outlives an erased run
 */
export async function appendAudit(
	queries: Queries,
	run: AuditHead,
	type: AuditType,
	subject: string | undefined,
	data: Record<string, string | number> = {},
): Promise<void> {
	const previous = run.audit_seq === 0 ? AUDIT_GENESIS : run.audit_hash;
	const fact = { seq: run.audit_seq + 1, at: queries.now, type, subject, data };
	const hash = auditHash(previous, fact);
	const row = {
		seq: fact.seq,
		at: fact.at,
		type,
		subject: subject ?? null,
		data_json: JSON.stringify(data),
		hash,
	};
	await insertAuditRow(queries, run.id, row, run);
	run.audit_seq = fact.seq;
	run.audit_hash = hash;
}
