import type { Decision, DecisionWord, Gate, Via } from '../contract/gates';
import { stateAfter, wordsOf, type Voice } from '../domain/gate';
import { instant } from '../domain/instant';
import type { Queries } from '../store/database';
import { listGateDecisions, saveGateDecision } from '../store/gate-decisions';
import { findGate, findGateByRef, type GateRow } from '../store/gates';
import { findRunByRef } from '../store/runs';
import { appendAudit } from './append-audit';
import { describeGate, frozenRequest, standingDecision, type FrozenRequest } from './describe-gate';
import { runFenced, signalSettledGates, stepSettled } from './topics';
import { NAMESPACE, type Journal } from './journal';
import { JournalProblem, orThrow } from './problem';
import { noSuchGate } from './read-gate';
import { answerDoubt } from './answer-doubt';
import { settleByDeadlines } from './settle-by-deadline';
import { settleGate } from './settle-gate';

export interface GateDecision {
	readonly gateId: string;
	readonly decision: DecisionWord;
	/** Who decides; `link` for whoever holds the link of a gate without named approvers. */
	readonly by: string;
	readonly via: Exclude<Via, 'deadline'>;
	readonly comment?: string;
	readonly edits?: unknown;
}

/**
 * One person's word on a gate. The first decision that settles it stands; all that come later are
 * told which one does. With a quorum the gate stays open until enough people approved.
 * @throws JournalProblem gate_closed with the decision that stands, invalid_request, not_found,
 *   forbidden (through a channel, by somebody who is no approver), step_not_resolvable
 */
export async function decideGate(journal: Journal, request: GateDecision): Promise<Gate> {
	const { answer, found } = await journal.database.write(
		[{ gateId: request.gateId }],
		async (queries) => {
			const gate = await findGate(queries, NAMESPACE, request.gateId);
			if (!gate) return { answer: noSuchGate(request.gateId) };
			const run = (await findRunByRef(queries, gate.run_ref))!;
			await settleByDeadlines(queries, run);
			const answer = await decideInTransaction(queries, gate.id, request);
			return { answer, found: { stepKey: gate.step_key, run } };
		},
	);
	signalSettledGates(journal.signals);
	if (found?.run.state === 'cancelled') journal.signals.notify(runFenced(found.run.run_id));
	if (found?.stepKey) journal.signals.notify(stepSettled(found.stepKey));
	return orThrow(answer);
}

async function decideInTransaction(
	queries: Queries,
	gateRef: number,
	request: GateDecision,
): Promise<Gate | JournalProblem> {
	const gate = (await findGateByRef(queries, gateRef))!;
	const frozen = await frozenRequest(queries, gate);
	const refusal = refuse(gate, frozen, request) ?? (await speak(queries, gate, frozen, request));
	return refusal ?? (await describeGate(queries, (await findGateByRef(queries, gate.id))!));
}

function refuse(
	gate: GateRow,
	{ approvers }: FrozenRequest,
	{ decision, edits, by, via }: GateDecision,
): JournalProblem | undefined {
	if (gate.state !== 'open')
		return new JournalProblem(
			'gate_closed',
			{ gateId: gate.gate_id, decision: standingDecision(gate) },
			`The gate is ${gate.state}`,
		);
	const words = wordsOf(gate.kind);
	if (!words.includes(decision))
		return invalid('/decision', `must be one of ${words.join(', ')} for this gate`);
	if (edits !== undefined && gate.kind === 'approval')
		return invalid('/edits', 'is given, but nothing of this gate can be edited');
	const byKey = via === 'api' || via === 'inbox';
	if (!byKey && approvers && !approvers.some(({ name }) => name === by))
		return new JournalProblem('forbidden', {}, `"${by}" is no approver of this gate`);
	return undefined;
}

async function speak(
	queries: Queries,
	gate: GateRow,
	frozen: FrozenRequest,
	request: GateDecision,
): Promise<JournalProblem | undefined> {
	if (gate.kind === 'in_doubt') {
		const refusal = await answerDoubt(queries, gate, request);
		if (refusal) return refusal;
	}
	const decision: Decision = {
		decision: request.decision,
		by: request.by,
		via: request.via,
		...(request.comment && { comment: request.comment }),
		...(request.edits !== undefined && { edits: request.edits }),
		at: instant(queries.now),
		shownSha256: gate.shown_sha256,
	};
	const decisionJson = JSON.stringify(decision);
	await saveGateDecision(queries, gate.id, request.by, decisionJson);
	const voices = (await listGateDecisions(queries, gate.id)).map(
		(json) => JSON.parse(json) as Voice,
	);
	const state = stateAfter(gate.kind, frozen.quorum ?? 1, voices);
	const run = (await findRunByRef(queries, gate.run_ref))!;
	const data = { state, decision: request.decision, via: request.via };
	if (state === 'open') await appendAudit(queries, run, 'gate.voice', gate.gate_id, data);
	else
		await settleGate(queries, run, gate, { state, decisionJson }, { type: 'gate.decided', data });
	return undefined;
}

function invalid(pointer: string, detail: string): JournalProblem {
	return new JournalProblem('invalid_request', { errors: [{ pointer, detail }] });
}
