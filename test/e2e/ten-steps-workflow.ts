/** The ten-step example as the end-to-end tests run it: the file that people import, with other addresses. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../tools/paths.mjs';
import type { Journal } from '../journal-process';
import type { StandIns } from '../stand-ins-process';
import type { N8n } from './n8n/start-n8n';
import type { Execution, WorkflowDefinition, WorkflowNode } from './n8n/n8n-client';
import { outputsOf } from './n8n/n8n-client';

/** What the example's webhook listens to. */
export const PATH = 'onboard';

/** Where the stand-ins see a step: its path, for model calls a text of the prompt, and what it stores. */
export interface StepCall {
	/** Name of the node on the canvas. */
	readonly node: string;
	/** Path at the stand-ins, without a tax number at its end. */
	readonly path: string;
	readonly contains?: string;
	/** Unset where the call may be repeated by itself. */
	readonly found?: unknown;
}

const model = '/v1/chat/completions';
/** Every step but the sixth, which is the gate. */
export const STEP_CALLS: Record<number, StepCall> = {
	1: { node: '1 Research company', path: model, contains: 'research the company' },
	2: { node: '2 Check tax number', path: '/erp/companies/' },
	3: { node: '3 Draft contract', path: model, contains: 'draft the contract' },
	4: { node: '4 Issue invoice', path: '/invoices', found: { invoiceId: 'seen' } },
	5: { node: '5 Mail the customer', path: '/mail/customer', found: { statusCode: 200, body: {} } },
	7: {
		node: '7 Register contract',
		path: '/erp/contracts',
		found: { statusCode: 200, body: { contractId: 'seen' } },
	},
	8: {
		node: '8 Notify accounting',
		path: '/mail/accounting',
		found: { statusCode: 200, body: {} },
	},
	9: { node: '9 Summarise for the CRM', path: model, contains: 'summarise for the CRM' },
	10: { node: '10 Update CRM', path: '/crm/companies/', found: { statusCode: 200, body: {} } },
};

/** The tax number of an order: the stand-ins' ERP and CRM have it in the path. */
export const taxIdOf = (orderId: string): string => `B-${orderId}`;

/** Where the stand-ins see this step of this order. */
export function callOf(step: number, orderId: string): { path: string; contains?: string } {
	const { path, contains } = STEP_CALLS[step]!;
	return {
		path: path.endsWith('/') ? path + taxIdOf(orderId) : path,
		...(contains && { contains }),
	};
}

/** Imports the example into n8n and returns the id of its workflow. */
export async function importExample(
	n8n: N8n,
	journal: Journal,
	standIns: StandIns,
): Promise<string> {
	const text = readFileSync(join(ROOT, 'examples', 'ten-steps.json'), 'utf8');
	const example = JSON.parse(text.replaceAll('http://127.0.0.1:5700', standIns.baseUrl));
	const credentials: Record<string, { id: string; name: string }> = {
		journalApi: await n8n.client.createCredential('journalApi', {
			baseUrl: journal.baseUrl,
			apiKey: journal.apiKey,
		}),
		openAiApi: await n8n.client.createCredential('openAiApi', {
			apiKey: 'none',
			url: `${standIns.baseUrl}/v1`,
		}),
	};
	const own = (node: WorkflowNode): WorkflowNode => {
		const wanted = Object.keys(node.credentials ?? {}).map((type) => [type, credentials[type]]);
		const isOurs = node.type.startsWith('n8n-nodes-durable.');
		const options = { ...(node.parameters?.options as object), leaseSeconds: 2, waitSeconds: 30 };
		return {
			...node,
			...(node.credentials && { credentials: Object.fromEntries(wanted) }),
			// A short lease, so that doubt arises soon after a kill; it is no part of any key.
			...(isOurs && node.type !== 'n8n-nodes-durable.approvalGate'
				? { parameters: { ...node.parameters, options } }
				: {}),
		};
	};
	const definition: WorkflowDefinition = {
		name: example.name,
		nodes: example.nodes.map(own),
		connections: example.connections,
		settings: example.settings,
	};
	return await n8n.client.createWorkflow(definition);
}

/** The body that triggers the example for one order. */
export const order = (orderId: string) => ({
	orderId,
	company: 'Example GmbH',
	taxId: taxIdOf(orderId),
	email: 'customer@example.com',
	amount: 490,
});

/** For each step that ran in this execution: whether it came from the journal, and in which attempt. */
export function durableOf(
	execution: Execution,
): Record<string, { replayed: boolean; attempt: number }> {
	const outputs = outputsOf(execution);
	const steps = Object.values(STEP_CALLS).flatMap(({ node }) => {
		// n8n's recovery after a crash puts a made-up run before the real one.
		const item = outputs[node]?.at(-1)?.[0]?.[0];
		return item ? [[node, { replayed: item.durable.replayed, attempt: item.durable.attempt }]] : [];
	});
	return Object.fromEntries(steps);
}
