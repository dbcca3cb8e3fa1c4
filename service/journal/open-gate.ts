import type { OpenGateAnswer, OpenGateRequest } from '../contract/gates';
import { ignoredMembers, shownSha256 } from '../domain/gate';
import { instant } from '../domain/instant';
import { gateKey, sha256Hex } from '../domain/key';
import { derivedKey, sealText } from '../domain/sealed-text';
import type { Queries } from '../store/database';
import { addWaiter } from '../store/gate-waiters';
import {
	findGate,
	findGateByRef,
	findOpenGatesOfSlot,
	insertGate,
	type GateRow,
} from '../store/gates';
import { storePayload } from '../store/payloads';
import type { RunRow } from '../store/runs';
import { actInRun, countGate } from './act-in-run';
import { appendAudit } from './append-audit';
import { decisionLink } from './decision-link';
import { frozenRequest, standingDecision } from './describe-gate';
import { enqueueGateMessages } from './enqueue-messages';
import { signalPassedDeadlines, TIMERS_SET } from './topics';
import { enterRun } from './enter-run';
import { NAMESPACE, type Journal } from './journal';
import { JournalProblem, orThrow } from './problem';
import { refuseMalformedGate, refuseNewGate } from './refuse-gate';
import { runCancelled } from './run-problem';
import { setGateTimers } from './set-gate-timers';
import { settleByDeadlines } from './settle-by-deadline';
import { settleGate } from './settle-gate';

export interface OpenedGate {
	/** False when the gate was known already: nobody was asked again. */
	readonly created: boolean;
	readonly answer: OpenGateAnswer;
}

/**
 * Opens a gate, or finds it: the same run, gate and input are one gate, whatever crashed between
 * two opens. The first open freezes what people are shown; a later one only adds whom to wake.
 *
 * A new gate supersedes the open one of its slot, a known one does not, whatever its slot asked for
 * since. So a place that asks A, then B, then A again is told at once that A is cancelled and by
 * what, and goes on as not approved; B stays open. A's being final is what makes a decision stand,
 * and a late repeat of an open must not take the newer question from the execution that waits for
 * it; nor must places that change their questions over, as items in another order do. Who wants to
 * ask A anew gives the gate another name or the run another id.
 * @throws JournalProblem invalid_request, channel_unavailable, run_cancelled, run_settled, run_full,
 *   run_erased, run_pruned
 */
export async function openGate(journal: Journal, request: OpenGateRequest): Promise<OpenedGate> {
	const malformed = refuseMalformedGate(request);
	if (malformed) throw malformed;
	const gateId = gateKey(request.runId, request.gate, request.input);
	const opened = await journal.database.write([{ runId: request.runId }], async (queries) => {
		const known = await findGate(queries, NAMESPACE, gateId);
		return known
			? await openAgain(journal, queries, known, request)
			: await openFirst(journal, queries, gateId, request);
	});
	journal.signals.notify(TIMERS_SET);
	signalPassedDeadlines(journal.signals, request.runId, opened);
	return orThrow(opened);
}

async function openFirst(
	journal: Journal,
	queries: Queries,
	gateId: string,
	request: OpenGateRequest,
): Promise<OpenedGate | JournalProblem> {
	const terms = refuseNewGate(journal, request, queries.now);
	if (terms instanceof JournalProblem) return terms;
	const run = await enterRun(queries, request.runId);
	if (run instanceof JournalProblem) return run;
	await settleByDeadlines(queries, run);
	if (run.state === 'cancelled') return runCancelled(run);
	const refusal = (await actInRun(queries, run)) ?? countGate(run);
	if (refusal) return refusal;
	if (request.slot !== undefined) await supersede(queries, run, request.slot, gateId);
	const { resumeUrl: _, input, ...frozen } = request;
	const { deadlineAt } = terms;
	const onDeadline = request.onDeadline ?? 'reject';
	const row = await insertGate(queries, NAMESPACE, {
		runRef: run.id,
		gateId,
		gate: request.gate,
		kind: 'approval',
		slot: request.slot,
		stepKey: undefined,
		request: await storePayload(queries, frozen),
		input: await storePayload(queries, input),
		shownSha256: shownSha256(request),
		deadlineAt,
		onDeadline,
	});
	await setGateTimers(queries, row, request);
	await wait(journal, queries, row, request.resumeUrl);
	await enqueueGateMessages(queries, row.id, request);
	await appendAudit(queries, run, 'gate.opened', gateId, { kind: row.kind });
	return { created: true, answer: answerOf(journal, row, request) };
}

async function openAgain(
	journal: Journal,
	queries: Queries,
	known: GateRow,
	request: OpenGateRequest,
): Promise<OpenedGate | JournalProblem> {
	const run = await enterRun(queries, request.runId);
	if (run instanceof JournalProblem) return run;
	await settleByDeadlines(queries, run);
	if (run.state === 'cancelled') return runCancelled(run);
	const row = (await findGateByRef(queries, known.id))!;
	const first = await frozenRequest(queries, row);
	await wait(journal, queries, row, request.resumeUrl);
	const ignored = ignoredMembers(first, request);
	return {
		created: false,
		answer: { ...answerOf(journal, row, first), ...(ignored.length > 0 && { ignored }) },
	};
}

/** A place of the workflow that asks anew has given up its last question. */
async function supersede(
	queries: Queries,
	run: RunRow,
	slot: string,
	supersededBy: string,
): Promise<void> {
	for (const gate of await findOpenGatesOfSlot(queries, run.id, slot))
		await settleGate(
			queries,
			run,
			gate,
			{ state: 'cancelled', supersededBy },
			{ type: 'gate.superseded', data: { by: supersededBy } },
		);
}

async function wait(
	journal: Journal,
	queries: Queries,
	row: GateRow,
	resumeUrl: string | undefined,
): Promise<void> {
	if (resumeUrl === undefined) return;
	const key = derivedKey(journal.secret, 'resume-url');
	await addWaiter(queries, {
		gateRef: row.id,
		resumeUrlSha256: sha256Hex(resumeUrl),
		resumeUrlEncrypted: sealText(key, journal.randomBytes(12), resumeUrl),
		toldAtOpen: row.state !== 'open',
	});
}

function answerOf(
	journal: Journal,
	row: GateRow,
	request: Pick<OpenGateRequest, 'approvers'>,
): OpenGateAnswer {
	const { gate_id: gateId, deadline_at: deadlineAt } = row;
	return {
		gateId,
		state: row.state,
		deadline: deadlineAt === null ? null : instant(deadlineAt),
		decision: standingDecision(row),
		...(row.superseded_by !== null && { supersededBy: row.superseded_by }),
		decisionUrl: request.approvers ? null : decisionLink(journal, row, 'link'),
	};
}
