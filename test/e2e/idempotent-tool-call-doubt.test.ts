/**
 * Doubt in a real n8n: it is killed while receivers hold its calls, and a look-up settles what became
 * of them; a lease whose execution crashed is in doubt before it runs out; Once Per holds over
 * executions.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startJournal, type Journal } from '../journal-process';
import { startStandIns, type StandIns } from '../stand-ins-process';
import {
	called,
	callNode,
	child,
	failureOf,
	httpTool,
	oneCall,
	stepsOf,
	waitForCall,
	type Credential,
} from './idempotent-tool-call-workflow';
import { outputsOf, type Execution, type WorkflowNode } from './n8n/n8n-client';
import { startN8n, type N8n } from './n8n/start-n8n';
import { httpPost } from './n8n/workflow-parts';

jest.setTimeout(240_000);

const TOKEN = 'token-of-the-look-up';
const HOUR_SECONDS = 3_600;

let n8n: N8n;
let journal: Journal;
let standIns: StandIns;
let register: Server;
let registerUrl: string;
let credentials: { journalApi: Credential; httpCallApi: Credential };
let lookUpWorkflow: string;
let invoicing: string;
/** Orders that were looked up, and with which authorization. */
const looks: Array<{ order: string; authorization: string | undefined }> = [];

interface Case {
	/** Order number, webhook path and name of the case. */
	name: string;
	operation: 'connectedTool' | 'httpRequest' | 'subWorkflow';
	/** Whether the receiver held the call before or after its effect. */
	when: 'before' | 'after';
	by: 'httpRequest' | 'subWorkflow';
	authenticate?: boolean;
}

const CASES: Case[] = [
	{ name: 'tool-after', operation: 'connectedTool', when: 'after', by: 'httpRequest' },
	{ name: 'tool-before', operation: 'connectedTool', when: 'before', by: 'httpRequest' },
	{
		name: 'tool-signed-in',
		operation: 'connectedTool',
		when: 'after',
		by: 'httpRequest',
		authenticate: true,
	},
	{ name: 'http-after', operation: 'httpRequest', when: 'after', by: 'subWorkflow' },
	{ name: 'http-before', operation: 'httpRequest', when: 'before', by: 'subWorkflow' },
	{ name: 'child-after', operation: 'subWorkflow', when: 'after', by: 'httpRequest' },
	{ name: 'child-before', operation: 'subWorkflow', when: 'before', by: 'httpRequest' },
];
/** Its lease would hold for an hour. */
const LEASED = 'leased';

const killed = new Map<string, string>();
const retried = new Map<string, string>();

const effects = async (order: string) => (await standIns.counts()).byRef[order]?.['/invoices'] ?? 0;

/** GET /invoices?order= lists what an order has been invoiced, as the other system knows it. */
async function startRegister(): Promise<void> {
	register = createServer(async (request, response) => {
		const order = new URL(request.url!, 'http://x').searchParams.get('order')!;
		looks.push({ order, authorization: request.headers.authorization });
		const data = Array.from({ length: await effects(order) }, () => ({ invoiceOf: order }));
		response.writeHead(200, { 'content-type': 'application/json' });
		response.end(JSON.stringify({ data }));
	}).listen(0, '127.0.0.1');
	await new Promise((resolve) => register.once('listening', resolve));
	registerUrl = `http://127.0.0.1:${(register.address() as AddressInfo).port}/invoices`;
}

const call = (parameters: object, options: object): WorkflowNode => ({
	...callNode(
		credentials.journalApi,
		parameters as Record<string, unknown>,
		options as Record<string, unknown>,
	),
	credentials,
});

const operationOf = ({ operation, authenticate }: Pick<Case, 'operation' | 'authenticate'>) => ({
	operation,
	...(operation === 'httpRequest' && {
		method: 'POST',
		url: `${standIns.baseUrl}/invoices`,
		sendBody: true,
		body: '={{ $json }}',
	}),
	...(operation === 'subWorkflow' && {
		workflowId: { __rl: true, mode: 'id', value: invoicing },
	}),
	...(authenticate && { authenticate }),
});

const lookUpOf = ({ by }: Case) => ({
	onInDoubt: 'verify',
	lookUpBy: by,
	lookAfterSeconds: 1,
	...(by === 'httpRequest'
		? {
				lookUpUrl: registerUrl,
				lookUpQuery: { parameters: [{ name: 'order', value: '={{ $json.orderId }}' }] },
				lookUpField: 'data',
			}
		: { lookUpWorkflowId: { __rl: true, mode: 'id', value: lookUpWorkflow } }),
});

async function start(name: string, node: WorkflowNode, isTool: boolean): Promise<void> {
	const workflowId = await n8n.client.createWorkflow(
		oneCall(name, node, isTool ? [httpTool(`${standIns.baseUrl}/invoices`)] : []),
	);
	killed.set(name, await n8n.client.run(workflowId, name, { orders: [name] }));
}

/** Workflows that others call: one that looks an order up, and one that invoices it. */
async function createChildren(): Promise<void> {
	const ask: WorkflowNode = {
		name: 'Ask',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: { url: `=${registerUrl}?order={{ $json.input.body.orderId }}`, options: {} },
	};
	const answer: WorkflowNode = {
		name: 'Answer',
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		parameters: {
			mode: 'raw',
			jsonOutput:
				'={{ JSON.stringify({ happened: $json.data.length > 0, result: $json.data[0] }) }}',
		},
	};
	const { client } = n8n;
	lookUpWorkflow = await client.createWorkflow(child('Look up', called(), ask, answer));
	invoicing = await client.createWorkflow(
		child(
			'Invoice',
			called(),
			httpPost(
				'Invoice',
				`${standIns.baseUrl}/invoices`,
				'={{ JSON.stringify({ orderId: $json.orderId }) }}',
			),
		),
	);
}

beforeAll(async () => {
	[n8n, standIns] = await Promise.all([startN8n(), startStandIns()]);
	await startRegister();
	const env = { N8N_API_URL: n8n.baseUrl, N8N_API_KEY: n8n.client.apiKey };
	journal = await startJournal({ env });
	const { baseUrl, apiKey } = journal;
	credentials = {
		journalApi: await n8n.client.createCredential('journalApi', { baseUrl, apiKey }),
		httpCallApi: await n8n.client.createCredential('httpCallApi', {
			method: 'bearer',
			secret: TOKEN,
		}),
	};
	await createChildren();
	for (const one of CASES) {
		await standIns.hold({ path: '/invoices', ref: one.name, when: one.when });
		await start(one.name, call(operationOf(one), lookUpOf(one)), one.operation === 'connectedTool');
	}
	await standIns.hold({ path: '/invoices', ref: LEASED, when: 'after' });
	const leased = call({ operation: 'connectedTool' }, { leaseSeconds: HOUR_SECONDS });
	await start(LEASED, leased, true);
	await standIns.waitForHeld(CASES.length + 1);
	await n8n.kill('SIGKILL');
	await standIns.release();
	await n8n.restart();
	for (const [name, id] of killed) {
		await n8n.client.waitForStatus(id, 'crashed');
		retried.set(name, await n8n.client.retry(id));
	}
});
afterAll(async () => {
	await n8n?.stop();
	await Promise.all([journal?.stop(), standIns?.stop()]);
	register?.closeAllConnections();
	await new Promise((resolve) => register?.close(resolve));
});

const finished = async (id: string): Promise<Execution> =>
	await n8n.client.waitForStatus(id, ['success', 'error'], 60_000);
const itemOf = (execution: Execution) => outputsOf(execution).End![0]![0][0];

describe.each(CASES)('$name', ({ name, operation, when, authenticate }) => {
	it(
		when === 'after'
			? 'the look-up finds it: nothing is sent again'
			: 'the look-up finds nothing: it runs once',
		async () => {
			const execution = await finished(retried.get(name)!);
			expect(failureOf(execution).message).toBe('');
			expect(await effects(name)).toBe(1);
			expect(looks.filter(({ order }) => order === name)).toEqual([
				{ order: name, authorization: authenticate ? `Bearer ${TOKEN}` : undefined },
			]);
			const item = itemOf(execution);
			if (when === 'before') {
				expect(item.durable).toMatchObject({ attempt: 2, replayed: false });
				return;
			}
			const found = { invoiceOf: name };
			expect(item).toMatchObject(operation === 'httpRequest' ? { body: found } : found);
			expect(item.durable).toMatchObject({ attempt: 1, replayed: true });
			const [step] = await stepsOf(journal, name);
			expect(step).toMatchObject({ state: 'completed', settledBy: 'look', attempt: 1 });
		},
	);
});

it('a lease of an hour whose execution crashed is in doubt at once, and says why', async () => {
	const execution = await finished(retried.get(LEASED)!);
	expect(failureOf(execution).message).toMatch(/^Step ".+" is in doubt/);
	const [step] = await stepsOf(journal, LEASED);
	expect(step).toMatchObject({
		state: 'in_doubt',
		settledBy: 'n8n',
		error: { code: 'execution_crashed' },
	});
	expect(await effects(LEASED)).toBe(1);
});

it('a look-up workflow that waits is refused: in doubt, and the execution ends', async () => {
	const order = 'look-waits';
	const waiting = await n8n.client.createWorkflow(
		child('Look and wait', called(), waitForCall('look-and-wait')),
	);
	const node = call(operationOf({ operation: 'httpRequest' }), {
		onInDoubt: 'verify',
		lookUpBy: 'subWorkflow',
		lookUpWorkflowId: { __rl: true, mode: 'id', value: waiting },
		lookAfterSeconds: 0,
	});
	await standIns.fail({ path: '/invoices', ref: order, status: 'reset', when: 'after' });
	const workflowId = await n8n.client.createWorkflow(oneCall(order, node));
	const execution = await finished(await n8n.client.run(workflowId, order, { orders: [order] }));
	expect(failureOf(execution).message).toMatch(/is in doubt \(The look-up workflow waits/);
	expect(await effects(order)).toBe(1);
});

it('once per customer: a second execution with another order is refused', async () => {
	const node = call(operationOf({ operation: 'httpRequest' }), { guardKey: 'customer 17' });
	const workflowId = await n8n.client.createWorkflow(oneCall('once-per', node));
	const run = async (order: string) =>
		await finished(await n8n.client.run(workflowId, 'once-per', { orders: [order] }));
	expect(failureOf(await run('first-order')).message).toBe('');
	expect(failureOf(await run('second-order')).message).toMatch(
		/^Step ".+" was already done at .+ in run "first-order"/,
	);
	expect([await effects('first-order'), await effects('second-order')]).toEqual([1, 0]);
});

it('never did anything twice', async () => {
	expect((await standIns.counts()).doubled).toEqual([]);
});
