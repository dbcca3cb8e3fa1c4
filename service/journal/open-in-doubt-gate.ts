import type { Meta } from '../contract/primitives';
import type { StepError } from '../contract/steps';
import { shownSha256 } from '../domain/gate';
import { instant } from '../domain/instant';
import { gateKey } from '../domain/key';
import type { Queries } from '../store/database';
import { findGate, findOpenGateOfStep, insertGate } from '../store/gates';
import { loadPayload, storePayload } from '../store/payloads';
import type { RunRow } from '../store/runs';
import type { StepRow } from '../store/steps';
import { appendAudit } from './append-audit';
import type { FrozenRequest } from './describe-gate';
import { NAMESPACE } from './journal';

/** Characters of an error that the question quotes. */
const MAX_REASON = 500;

/**
 * Asks people whether the effect of a step in doubt happened, once for each time that it came to be
 * so. The answer settles the step. In the transaction of the claim that met the doubt.
 * @returns the id of the gate, which may be open already
 */
export async function openInDoubtGate(
	queries: Queries,
	run: RunRow,
	step: StepRow,
	meta: Meta | undefined,
): Promise<string> {
	const gate = `in doubt: ${step.step}`;
	const open = await findOpenGateOfStep(queries, run.id, step.key);
	if (open) return open.gate_id;
	const gateId = await unusedGateId(queries, run, step, gate);
	run.gate_count += 1;
	const request: FrozenRequest = {
		runId: run.run_id,
		gate,
		title: `Did "${meta?.nodeLabel ?? step.step}" happen?`,
		message: question(step),
		...(meta && { meta }),
	};
	const input = await loadPayload(queries, { json: step.input_json, ref: step.input_ref });
	await insertGate(queries, NAMESPACE, {
		runRef: run.id,
		gateId,
		gate,
		kind: 'in_doubt',
		slot: undefined,
		stepKey: step.key,
		request: await storePayload(queries, request),
		input: await storePayload(queries, input),
		shownSha256: shownSha256({ ...request, input }),
		deadlineAt: null,
		onDeadline: 'wait',
	});
	await appendAudit(queries, run, 'gate.opened', gateId, { kind: 'in_doubt' });
	return gateId;
}

/** What is known of the attempt, and what the answers mean; the call itself is shown beside it. */
function question(step: StepRow): string {
	const by = step.execution_id ? ` by execution ${step.execution_id}` : '';
	return [
		`Attempt ${step.attempt} of this step was started at ${instant(step.claimed_at)}${by}, and nobody knows whether its effect happened.`,
		...known('What it reported', step.error_json),
		...known('The last look-up', step.look_error_json),
		'Look in the other system. "happened": the step counts as done. "not_happened": it is tried again. "stop": it has failed.',
	].join('\n');
}

function known(what: string, errorJson: string | null): string[] {
	if (errorJson === null) return [];
	const { message, status } = JSON.parse(errorJson) as StepError;
	return [
		`${what}: ${message.slice(0, MAX_REASON)}${status === undefined ? '' : ` (HTTP ${status})`}`,
	];
}

/** An attempt can be in doubt again after an answer: its holder comes back and does not know either. */
async function unusedGateId(
	queries: Queries,
	run: RunRow,
	step: StepRow,
	gate: string,
): Promise<string> {
	for (let asked = 0; ; asked++) {
		const about = [step.key, step.fencing_token, ...(asked > 0 ? [asked] : [])];
		const gateId = gateKey(run.run_id, gate, about);
		if (!(await findGate(queries, NAMESPACE, gateId))) return gateId;
	}
}
