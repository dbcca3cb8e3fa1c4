/** What Idempotent Tool Call costs over n8n's own HTTP Request node, per call, inside a real n8n. */
import { startJournal, type Journal } from '../journal-process';
import { startStandIns, type StandIns } from '../stand-ins-process';
import { startN8n, type N8n } from '../e2e/n8n/start-n8n';
import type { Execution, WorkflowNode } from '../e2e/n8n/n8n-client';
import { to, webhook } from '../e2e/n8n/workflow-parts';

jest.setTimeout(300_000);

const CALLS = 200;
const ROUNDS = 5;

let n8n: N8n;
let journal: Journal;
let standIns: StandIns;

beforeAll(async () => {
	[n8n, journal, standIns] = await Promise.all([startN8n(), startJournal(), startStandIns()]);
});
afterAll(async () => {
	await n8n?.stop();
	await Promise.all([journal?.stop(), standIns?.stop()]);
});

const body = '={{ ({ orderId: $json.orderId, amount: 490 }) }}';

/** Both nodes send the same posts, one after the other. */
function nodes(credential: { id: string; name: string }): Record<string, WorkflowNode> {
	const url = `${standIns.baseUrl}/invoices`;
	return {
		'HTTP Request': {
			name: 'Call',
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.2,
			parameters: {
				method: 'POST',
				url,
				sendBody: true,
				specifyBody: 'json',
				jsonBody: body,
				options: { batching: { batch: { batchSize: 1, batchInterval: 0 } } },
			},
		},
		'Idempotent Tool Call': {
			name: 'Call',
			type: 'n8n-nodes-durable.idempotentToolCall',
			typeVersion: 1,
			parameters: {
				operation: 'httpRequest',
				runId: '={{ $json.run }}',
				method: 'POST',
				url,
				sendBody: true,
				body,
			},
			credentials: { journalApi: credential },
		},
	};
}

const items = `const run = $('Webhook').first().json.body.run;
return Array.from({ length: ${CALLS} }, (_, index) => ({ json: { run, orderId: run + '-' + index } }));`;

async function createWorkflow(path: string, call: WorkflowNode): Promise<string> {
	return await n8n.client.createWorkflow({
		name: path,
		nodes: [
			webhook(path),
			{ name: 'Items', type: 'n8n-nodes-base.code', typeVersion: 2, parameters: { jsCode: items } },
			call,
		],
		connections: { Webhook: { main: [[to('Items')]] }, Items: { main: [[to('Call')]] } },
	});
}

/** Milliseconds that n8n counts for the node, per call. */
async function msPerCall(workflowId: string, path: string, run: string): Promise<number> {
	const id = await n8n.client.run(workflowId, path, { run });
	const execution: Execution = await n8n.client.waitForStatus(id, ['success', 'error'], 60_000);
	expect(execution.status).toBe('success');
	return execution.data.resultData.runData.Call[0].executionTime / CALLS;
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;

test('per call', async () => {
	const { baseUrl, apiKey } = journal;
	const credential = await n8n.client.createCredential('journalApi', { baseUrl, apiKey });
	const measured: Record<string, number[]> = {};
	const workflows: Array<[string, string, string]> = [];
	for (const [name, node] of Object.entries(nodes(credential))) {
		const path = name.toLowerCase().replaceAll(' ', '-');
		workflows.push([name, path, await createWorkflow(path, node)]);
	}
	for (let round = 0; round <= ROUNDS; round++)
		for (const [name, path, id] of workflows) {
			const first = await msPerCall(id, path, `round-${round}`);
			// The first round warms up.
			if (round > 0) (measured[name] ??= []).push(first);
			if (name !== 'Idempotent Tool Call') continue;
			const replay = await msPerCall(id, path, `round-${round}`);
			if (round > 0) (measured[`${name}, replay`] ??= []).push(replay);
		}
	const rows = Object.entries(measured).map(([what, values]) => ({
		what,
		'ms per call (median)': median(values).toFixed(2),
	}));
	process.stdout.write(`inside n8n, ${CALLS} posts one after the other:\n`);
	process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
});
