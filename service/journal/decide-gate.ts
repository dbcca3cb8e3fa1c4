import type { Decision, DecisionWord, Gate } from '../contract/gates';
import { currentApprovers, entitlement, type Claimant } from '../domain/authority';
import type { Unhashable } from '../domain/canonical-json';
import { judgeEdits } from '../domain/editing';
import { stateAfter, wordsOf, type QuorumRule } from '../domain/gate';
import { instant } from '../domain/instant';
import type { Queries } from '../store/database';
import { saveGateDecision } from '../store/gate-decisions';
import { findGate, findGateByRef, type GateRow } from '../store/gates';
import { findRunByRef, type RunRow } from '../store/runs';
import { answerDoubt } from './answer-doubt';
import { appendAudit } from './append-audit';
import {
	describeGate,
	frozenInput,
	frozenRequest,
	standingDecision,
	type FrozenRequest,
} from './describe-gate';
import { enqueueGateUpdate } from './enqueue-messages';
import { gateAuthority } from './gate-authority';
import { gateVoices } from './gate-voices';
import { NAMESPACE, type Journal } from './journal';
import { JournalProblem, orThrow } from './problem';
import { noSuchGate } from './read-gate';
import { refuseDecision } from './refuse-decision';
import { settleByDeadlines } from './settle-by-deadline';
import { settleGate } from './settle-gate';
import { runFenced, signalSettledGates, stepSettled } from './topics';

export interface GateDecision {
	readonly gateId: string;
	readonly decision: DecisionWord;
	/** Who decides, as the channel knows them. */
	readonly claimant: Claimant;
	readonly comment?: string;
	/** Of an approval: edited members of the input. Of a doubt: the result. */
	readonly edits?: unknown;
}

/**
 * One person's word on a gate. The first decision that settles it stands; all that come later are
 * told which one does. With a quorum the gate stays open until enough people approved.
 * @throws JournalProblem gate_closed with the decision that stands, invalid_request, not_found,
 *   not_entitled (somebody who may not decide it), step_not_resolvable
 */
export async function decideGate(journal: Journal, request: GateDecision): Promise<Gate> {
	const { answer, found } = await journal.database.write(
		[{ gateId: request.gateId }],
		async (queries) => {
			const gate = await findGate(queries, NAMESPACE, request.gateId);
			if (!gate) return { answer: noSuchGate(request.gateId) };
			const run = (await findRunByRef(queries, gate.run_ref))!;
			await settleByDeadlines(queries, run);
			const answer = await decideInTransaction(queries, run, gate.id, request);
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
	run: RunRow,
	gateRef: number,
	request: GateDecision,
): Promise<Gate | JournalProblem> {
	const gate = (await findGateByRef(queries, gateRef))!;
	if (gate.state !== 'open')
		return new JournalProblem(
			'gate_closed',
			{ gateId: gate.gate_id, decision: standingDecision(gate) },
			`The gate is ${gate.state}`,
		);
	const frozen = await frozenRequest(queries, gate);
	const authority = gateAuthority(frozen, gate);
	const entitled = entitlement(authority, request.claimant);
	if ('refusedBecause' in entitled)
		return await refuseDecision(queries, run, gate, request.claimant, entitled.refusedBecause);
	const words = wordsOf(gate.kind);
	if (!words.includes(request.decision))
		return invalid([
			{ pointer: '/decision', detail: `must be one of ${words.join(', ')} for this gate` },
		]);
	const edited = await judge(queries, gate, frozen, request);
	if ('errors' in edited) return invalid(edited.errors);
	const { by } = entitled;
	const refusal =
		gate.kind === 'in_doubt' ? await answerDoubt(queries, gate, { ...request, by }) : undefined;
	if (refusal) return refusal;
	const { decision, claimant, comment } = request;
	const at = instant(queries.now);
	const shownSha256 = gate.shown_sha256;
	const said = { ...(comment && { comment }), ...edited };
	const spoken: Decision = { decision, by, via: claimant.via, ...said, at, shownSha256 };
	await speak(queries, gate, spoken, {
		quorum: frozen.quorum ?? 1,
		rejection: frozen.rejection ?? 'ends',
		voters: currentApprovers(authority).map(({ name }) => name),
	});
	return await describeGate(queries, (await findGateByRef(queries, gate.id))!);
}

/** The edits of an approval with what they change, or what is wrong with them. */
async function judge(
	queries: Queries,
	gate: GateRow,
	{ editable }: FrozenRequest,
	{ decision, edits }: GateDecision,
): Promise<Pick<Decision, 'edits' | 'difference'> | { errors: Unhashable[] }> {
	if (edits === undefined) return {};
	if (gate.kind === 'in_doubt') return { edits };
	const wrong = (detail: string) => ({ errors: [{ pointer: '/edits', detail }] });
	if (decision !== 'approve') return wrong('belongs to an approval only');
	if (editable === undefined) return wrong('is given, but nothing of this gate can be edited');
	const judged = judgeEdits(editable, await frozenInput(queries, gate), edits);
	if ('errors' in judged)
		return {
			errors: judged.errors.map(({ pointer, detail }) => ({ pointer: `/edits${pointer}`, detail })),
		};
	return judged.difference.length === 0 ? {} : judged;
}

async function speak(
	queries: Queries,
	gate: GateRow,
	decision: Decision,
	rule: QuorumRule,
): Promise<void> {
	const decisionJson = JSON.stringify(decision);
	await saveGateDecision(queries, gate.id, decision.by, decisionJson);
	const state = stateAfter(gate.kind, rule, await gateVoices(queries, gate.id));
	// Read anew: answering a doubt has written to its audit.
	const run = (await findRunByRef(queries, gate.run_ref))!;
	const data = { state, decision: decision.decision, via: decision.via };
	if (state === 'open') {
		await enqueueGateUpdate(queries, gate.id);
		await appendAudit(queries, run, 'gate.voice', gate.gate_id, data);
	} else
		await settleGate(queries, run, gate, { state, decisionJson }, { type: 'gate.decided', data });
}

function invalid(errors: Unhashable[]): JournalProblem {
	return new JournalProblem('invalid_request', { errors });
}
