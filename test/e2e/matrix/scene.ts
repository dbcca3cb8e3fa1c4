/** One cell of the matrix in a running n8n. */
import type { LosingProxy } from '../../integration/idempotent-tool-call-proxy';
import type { Journal } from '../../journal-process';
import { stepsOf, type Credential } from '../idempotent-tool-call-workflow';
import type { N8nClient } from '../n8n/n8n-client';
import { httpPost, to, webhook } from '../n8n/workflow-parts';
import type { Column } from './columns';
import type { Receiver } from './receiver';
import type { Row } from './row';

/** What all cells share. */
export interface Stage {
	client: N8nClient;
	journal: Journal;
	/** Between n8n and the journal: sees who asks for what. */
	proxy: LosingProxy;
	receiver: Receiver;
	journalApi: Credential;
	openAiApi: Credential;
}

/** What was seen of a cell, in the words of the table. */
export interface Measured {
	effects: number;
	requests: number;
	/** Different idempotency keys that the receiver saw. */
	keys: number;
	/** Final states of the cell's steps. */
	state: string;
	/** Of each execution, in order. */
	shows: string;
}

export class Scene {
	/** Ids, in the order of their start. */
	readonly executions: string[] = [];
	/** Order number, run and webhook path. */
	readonly order: string;
	readonly receiver: Receiver;
	readonly client: N8nClient;
	private workflowId = '';
	private credentialId = '';
	private readonly shownBy: string[] = [];

	constructor(
		private readonly stage: Stage,
		readonly row: Row,
		readonly column: Column,
	) {
		this.order = `${row.id}-${column.id}`;
		this.receiver = stage.receiver;
		this.client = stage.client;
	}

	/** Tells the receiver what to do and puts the workflow into n8n. */
	async prepare(): Promise<void> {
		const { row, column, order, client, receiver } = this;
		receiver.script(order, { answers: [], honoursKey: false, ...column.script });
		const { nodes, connections } = await row.nodes({
			...{ client, order, url: receiver.url, call: column.call },
			journalApi: this.stage.journalApi,
			openAiApi: this.stage.openAiApi,
			authentication: await this.authenticate(column.call.secret),
		});
		const later = httpPost('Later', receiver.laterUrl, { orderId: order });
		this.workflowId = await client.createWorkflow({
			name: `Cell ${order}`,
			nodes: [webhook(order), ...nodes, later],
			connections: {
				Webhook: { main: [[to('Call')]] },
				Call: { main: [[to('Later')]] },
				...connections,
			},
		});
	}

	private async authenticate(secret: string | undefined) {
		if (secret === undefined) return undefined;
		const { type, data } = this.row.authentication(secret);
		const credential = await this.client.createCredential(type, data);
		this.credentialId = credential.id;
		return { [type]: credential };
	}

	/** Puts another secret into the cell's credential. */
	async repair(secret: string): Promise<void> {
		const { data } = this.row.authentication(secret);
		const answer = await this.client.api('PATCH', `/credentials/${this.credentialId}`, { data });
		if (answer.status !== 200) throw new Error(`repair: ${JSON.stringify(answer.body)}`);
	}

	/** Triggers the workflow and returns the execution's id. */
	async run(amount = 5): Promise<string> {
		const { order } = this;
		const id = await this.client.run(this.workflowId, order, { orderId: order, amount });
		this.executions.push(id);
		return id;
	}

	/** Waits for the end of an execution and takes down what it shows. */
	async finish(id: string): Promise<void> {
		const execution = await this.client.waitForStatus(id, ['success', 'error'], 90_000);
		this.shownBy.push(this.row.shown(execution));
	}

	/** How often the journal was asked for this run's step. */
	claims(): number {
		const { claim = [], 'claim-many': many = [] } = this.stage.proxy.bodies;
		const asked = [...claim, ...many.flatMap(({ steps }) => steps as Array<{ runId: string }>)];
		return asked.filter(({ runId }) => runId === this.order).length;
	}

	async measure(): Promise<Measured> {
		const { effects, requests, keys } = this.receiver.counted(this.order);
		const steps = await stepsOf(this.stage.journal, this.order);
		return {
			...{ effects, requests: requests.length, keys },
			state: steps.map(({ state }) => state).join(', ') || 'none',
			shows: this.shownBy.join('; then '),
		};
	}

	/** Between the first two requests, in ms. */
	pauseMs(): number {
		const [first = 0, second = 0] = this.receiver.counted(this.order).requests;
		return second - first;
	}
}
