import type { AuditEvent } from '../contract/runs';
import { AUDIT_GENESIS } from '../domain/audit-chain';
import { instant } from '../domain/instant';
import { sha256Hex } from '../domain/key';
import { listAuditRows } from '../store/audit';
import type { Queries } from '../store/database';
import { findRun } from '../store/runs';
import { findTombstone } from '../store/tombstones';
import { NAMESPACE, type Journal } from './journal';
import { JournalProblem, orThrow } from './problem';

const EVENTS_PER_READ = 500;

/**
 * The audit events of a run in order, also of one that was erased.
 * @throws JournalProblem not_found, before the first event
 */
export async function exportAudit(
	journal: Journal,
	runId: string,
): Promise<AsyncGenerator<AuditEvent>> {
	const runRef = orThrow(
		await journal.database.read(async (queries) => await findRunRef(queries, runId)),
	);
	return auditEvents(journal, runRef);
}

async function findRunRef(queries: Queries, runId: string): Promise<number | JournalProblem> {
	const run = await findRun(queries, NAMESPACE, runId);
	if (run) return run.id;
	const tombstone = await findTombstone(queries, NAMESPACE, sha256Hex(runId));
	return tombstone?.run_ref ?? new JournalProblem('not_found', {}, `There is no run "${runId}"`);
}

async function* auditEvents(journal: Journal, runRef: number): AsyncGenerator<AuditEvent> {
	let previousHash = AUDIT_GENESIS;
	for (let after = 0; ;) {
		const rows = await journal.database.read(
			async (queries) => await listAuditRows(queries, runRef, after, EVENTS_PER_READ),
		);
		for (const row of rows) {
			yield {
				seq: row.seq,
				at: instant(row.at),
				type: row.type,
				...(row.subject !== null && { subject: row.subject }),
				data: JSON.parse(row.data_json),
				previousHash,
				hash: row.hash,
			};
			previousHash = row.hash;
			after = row.seq;
		}
		if (rows.length < EVENTS_PER_READ) return;
	}
}
