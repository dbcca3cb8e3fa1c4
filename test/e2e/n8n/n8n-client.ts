/** n8n's public API and webhooks, as the end-to-end tests use them. */
import { httpRequest, type HttpAnswer } from '../../http-request';
import { waitUntil } from '../../wait-until';

export interface WorkflowNode {
	id?: string;
	name: string;
	type: string;
	typeVersion: number;
	position?: [number, number];
	parameters?: Record<string, unknown>;
	credentials?: Record<string, { id: string; name: string }>;
	[setting: string]: unknown;
}

export interface WorkflowDefinition {
	name: string;
	nodes: WorkflowNode[];
	connections: Record<string, unknown>;
	settings?: Record<string, unknown>;
}

/** As n8n's public API returns it; `data` only when asked for. */
export interface Execution {
	id: string;
	status: 'new' | 'running' | 'waiting' | 'success' | 'error' | 'crashed' | 'canceled';
	mode: string;
	retryOf: string | null;
	retrySuccessId: string | null;
	data?: any;
}

export class N8nClient {
	private readonly webhooks = new Set<string>();

	constructor(
		readonly baseUrl: string,
		readonly apiKey: string,
	) {}

	/** One call to `/api/v1`. */
	api(method: string, path: string, body?: unknown): Promise<HttpAnswer> {
		return httpRequest(method, `${this.baseUrl}/api/v1${path}`, body, {
			'X-N8N-API-KEY': this.apiKey,
		});
	}

	private async ok(method: string, path: string, body?: unknown): Promise<any> {
		const answer = await this.api(method, path, body);
		if (answer.status >= 300)
			throw new Error(
				`n8n ${method} ${path}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 1000)}`,
			);
		return answer.body;
	}

	/** Stores a credential; what comes back goes into a node: `credentials: { [type]: it }`. */
	async createCredential(
		type: string,
		data: Record<string, unknown>,
		name = `${type} of the tests`,
	): Promise<{ id: string; name: string }> {
		const { id } = await this.ok('POST', '/credentials', { name, type, data });
		return { id, name };
	}

	/** Stores a workflow, publishes it, waits until its webhooks answer, and returns its id. */
	async createWorkflow(workflow: WorkflowDefinition, { activate = true } = {}): Promise<string> {
		const { id } = await this.ok('POST', '/workflows', {
			name: workflow.name,
			nodes: workflow.nodes.map((node, index) => ({
				id: `node-${index}`,
				position: [index * 220, 0],
				parameters: {},
				...node,
			})),
			connections: workflow.connections,
			settings: { executionOrder: 'v1', ...workflow.settings },
		});
		if (!activate) return id;
		await this.ok('POST', `/workflows/${id}/activate`);
		for (const node of workflow.nodes)
			if (node.type === 'n8n-nodes-base.webhook') this.webhooks.add(String(node.parameters!.path));
		await this.waitForWebhooks();
		return id;
	}

	/**
	 * Waits until every webhook created through this client is registered: n8n does that after it
	 * answered the activation, and after a restart. A browser's preflight question triggers nothing,
	 * and its answer names the methods that are listened to.
	 */
	async waitForWebhooks(): Promise<void> {
		for (const path of this.webhooks)
			await waitUntil(`webhook ${path} to be registered`, async () => {
				const answer = await httpRequest('OPTIONS', `${this.baseUrl}/webhook/${path}`, undefined, {
					origin: 'http://localhost',
				});
				return String(answer.headers['access-control-allow-methods']).includes('POST');
			});
	}

	/** Calls a webhook. */
	trigger(path: string, body: unknown = {}): Promise<HttpAnswer> {
		return httpRequest('POST', `${this.baseUrl}/webhook/${path}`, body);
	}

	execution(id: string, { data = true } = {}): Promise<Execution> {
		return this.ok('GET', `/executions/${id}?includeData=${data}`);
	}

	/** The executions of a workflow, the newest first, without data. */
	async lastExecutions(workflowId: string, limit = 100): Promise<Execution[]> {
		// The plain list leaves out what runs.
		const lists = await Promise.all(
			['', '&status=running', '&status=new', '&status=waiting'].map((filter) =>
				this.ok('GET', `/executions?workflowId=${workflowId}&limit=${limit}${filter}`),
			),
		);
		const found = new Map<string, Execution>();
		for (const { data } of lists) for (const one of data) found.set(String(one.id), one);
		return [...found.values()].sort((a, b) => Number(b.id) - Number(a.id)).slice(0, limit);
	}

	/** Triggers a webhook and returns the id of the execution that this started. */
	async run(workflowId: string, path: string, body: unknown = {}): Promise<string> {
		const before = new Set((await this.lastExecutions(workflowId)).map(({ id }) => String(id)));
		const answer = await this.trigger(path, body);
		if (answer.status !== 200)
			throw new Error(`webhook ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
		return waitUntil(`an execution of ${path}`, async () => {
			const fresh = (await this.lastExecutions(workflowId)).find(
				({ id }) => !before.has(String(id)),
			);
			return fresh && String(fresh.id);
		});
	}

	/** Waits for one of these statuses; the execution comes back with its data. */
	async waitForStatus(
		id: string,
		wanted: Execution['status'] | Array<Execution['status']>,
		timeoutMs = 30_000,
	): Promise<Execution> {
		const statuses = [wanted].flat();
		let seen = '';
		await waitUntil(
			`execution ${id} to be ${statuses.join(' or ')}`,
			async () => {
				seen = (await this.execution(id, { data: false })).status;
				return statuses.includes(seen as Execution['status']);
			},
			{ timeoutMs },
		).catch((error: unknown) => {
			throw new Error(`Execution ${id} is "${seen}", not ${statuses.join(' or ')}`, {
				cause: error,
			});
		});
		return this.execution(id);
	}

	/** Retries a failed or crashed execution and returns the id of the new one. */
	async retry(id: string, { loadWorkflow = false } = {}): Promise<string> {
		const answer = await this.ok('POST', `/executions/${id}/retry`, { loadWorkflow });
		return String(answer.id);
	}
}

/** What each node sent out: node name → its runs → its outputs → the items' JSON; an error by its message. */
export function outputsOf(execution: Execution): Record<string, Array<any>> {
	const runData: Record<string, any[]> = execution.data?.resultData?.runData ?? {};
	return Object.fromEntries(
		Object.entries(runData).map(([name, runs]) => [
			name,
			runs.map((run) =>
				run.error
					? { error: run.error.message as string }
					: (run.data?.main ?? []).map(
							(items: any[] | null) => items?.map((item) => item.json) ?? [],
						),
			),
		]),
	);
}

/** The sentence an execution ended with, if it failed. */
export const errorOf = (execution: Execution): string | undefined =>
	execution.data?.resultData?.error?.message;
