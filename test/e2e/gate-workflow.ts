/** Workflows with Approval Gates, and the journal's side of their gates, for the end-to-end tests. */
import type { Gate } from '../../service/contract/gates';
import { httpRequest } from '../http-request';
import type { Journal } from '../journal-process';
import { waitUntil } from '../wait-until';
import type { Execution, N8nClient, WorkflowDefinition, WorkflowNode } from './n8n/n8n-client';
import { noOp, to, webhook } from './n8n/workflow-parts';

export type Credential = { id: string; name: string };

/** A gate whose run is the order number of the webhook's body, so that the test can find it. */
export const gateNode = (
	name: string,
	credential: Credential,
	parameters: Record<string, unknown> = {},
): WorkflowNode => ({
	name,
	type: 'n8n-nodes-durable.approvalGate',
	typeVersion: 1,
	parameters: {
		operation: 'sendAndWait',
		runId: "={{ $('Webhook').first().json.body.order }}",
		title: `${name}: go on?`,
		message: 'Order {{ $json.body.order }}',
		details: '={{ { amount: 7 } }}',
		channels: [],
		deadlineType: 'none',
		options: { sharedRunId: true },
		...parameters,
	},
	credentials: { journalApi: credential },
});

/** Webhook → gate → `Not approved` and `Approved`, each a node of that name. */
export const oneGate = (
	path: string,
	credential: Credential,
	parameters: Record<string, unknown> = {},
	settings: Record<string, unknown> = {},
): WorkflowDefinition => ({
	name: `Gate ${path}`,
	nodes: [
		webhook(path),
		{ ...gateNode('Gate', credential, parameters), ...settings },
		noOp('Not approved'),
		noOp('Approved'),
	],
	connections: {
		Webhook: { main: [[to('Gate')]] },
		Gate: { main: [[to('Not approved')], [to('Approved')]] },
	},
});

/** The gates of a run that are open now; the journal answers 404 before the first. */
export async function openGates(journal: Journal, runId: string): Promise<Gate[]> {
	const { body } = await journal.request('GET', `/v1/runs/${encodeURIComponent(runId)}`);
	return ((body.gates ?? []) as Gate[]).filter(({ state }) => state === 'open');
}

/** Waits until exactly one gate of the run is open, and returns it. */
export async function openGate(journal: Journal, runId: string): Promise<Gate> {
	return await waitUntil(`a gate of ${runId}`, async () => {
		const [gate, ...more] = await openGates(journal, runId);
		return more.length === 0 && gate;
	});
}

export async function readGate(journal: Journal, gateId: string): Promise<Gate> {
	return (await journal.request('GET', `/v1/gates/${gateId}`)).body as Gate;
}

export async function decide(
	journal: Journal,
	gateId: string,
	decision: 'approve' | 'reject',
): Promise<number> {
	const body = { decision, by: 'Operator', comment: `${decision} it` };
	return (await journal.admin('POST', `/v1/gates/${gateId}/decide`, body)).status;
}

/** The page on which people decide: opening a gate again is harmless, and gives its link. */
export async function decisionUrl(journal: Journal, gate: Gate): Promise<string> {
	const { body } = await journal.request('POST', '/v1/gates', {
		runId: gate.runId,
		gate: gate.gate,
		input: { amount: 7 },
		title: 'again',
		message: '',
	});
	expect(body.gateId).toBe(gate.gateId);
	// The public URL may be another one than that the test reaches.
	return journal.baseUrl + new URL(body.decisionUrl as string).pathname;
}

/** Calls the resume URL of a waiting execution as the journal would. */
export async function wakeUp(client: N8nClient, executionId: string, body: unknown) {
	const { data } = await client.execution(executionId);
	const path = `/webhook-waiting/${executionId}/durable-gate?signature=${data.resumeToken}`;
	return await httpRequest('POST', client.baseUrl + path, body);
}

/** Which of the two branches an execution took: the items that reached it. */
export function branches(execution: Execution): { approved: any[]; notApproved: any[] } {
	const runs = execution.data.resultData.runData as Record<string, any[]>;
	const items = (name: string) =>
		(runs[name] ?? []).flatMap((run) => run.data?.main?.[0] ?? []).map((item: any) => item.json);
	return { approved: items('Approved'), notApproved: items('Not approved') };
}
