/**
 * Idempotent Tool Call with n8n's own tools and servers that others wrote: an MCP server, a stateful mock of
 * Stripe and an SMTP server. n8n is killed once, while each of them has a call of it.
 */
import { startJournal, type Journal } from '../journal-process';
import { waitUntil } from '../wait-until';
import {
	callNode,
	failureOf,
	oneCall,
	stepsOf,
	type Credential,
} from './idempotent-tool-call-workflow';
import { outputsOf, type Execution, type WorkflowNode } from './n8n/n8n-client';
import { startN8n, type N8n } from './n8n/start-n8n';
import { mcpTool } from './servers-by-others/mcp-tool';
import { startMailServer, type MailServer } from './servers-by-others/mail-server';
import { startMcpServer, type McpServer } from './servers-by-others/mcp-server';
import { startStripeMock, STRIPE_KEY, type StripeMock } from './servers-by-others/stripe-mock';

jest.setTimeout(180_000);

let n8n: N8n;
let journal: Journal;
let mcp: McpServer;
let stripe: StripeMock;
let mail: MailServer;
/** By webhook path. */
const workflows = new Map<string, string>();
/** By webhook path: the execution that was killed. */
const killed = new Map<string, string>();

async function create(
	path: string,
	journalApi: Credential,
	tool: WorkflowNode,
	parameters: Record<string, unknown> = {},
	{ options, settings }: { options?: Record<string, unknown>; settings?: object } = {},
): Promise<void> {
	const call = callNode(journalApi, { operation: 'connectedTool', ...parameters }, options);
	workflows.set(
		path,
		await n8n.client.createWorkflow(oneCall(path, { ...call, ...settings }, [tool])),
	);
}

const start = async (path: string, order: string) =>
	await n8n.client.run(workflows.get(path)!, path, { orders: [order] });
const finish = async (id: string): Promise<Execution> =>
	await n8n.client.waitForStatus(id, ['success', 'error'], 60_000);
const run = async (path: string, order: string) => await finish(await start(path, order));
const itemOf = (execution: Execution) => {
	expect(failureOf(execution).message).toBe('');
	return outputsOf(execution).End![0]![0][0];
};
/** Retries what was killed. */
const retried = async (path: string) => {
	const id = killed.get(path)!;
	await n8n.client.waitForStatus(id, 'crashed');
	return await finish(await n8n.client.retry(id));
};
const stateOf = async (order: string) => (await stepsOf(journal, order)).map(({ state }) => state);

/** n8n's Stripe node knows one address only; its credential can be used with the HTTP Request Tool. */
const chargeTool = (stripeApi: Credential): WorkflowNode => ({
	name: 'Charge',
	type: 'n8n-nodes-base.httpRequestTool',
	typeVersion: 4.2,
	parameters: {
		method: 'POST',
		url: `${stripe.baseUrl}/v1/charges`,
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'stripeApi',
		sendHeaders: true,
		headerParameters: {
			parameters: [{ name: 'Idempotency-Key', value: '={{ $json.idempotencyKey }}' }],
		},
		sendBody: true,
		contentType: 'form-urlencoded',
		bodyParameters: {
			parameters: [
				{ name: 'amount', value: '490' },
				{ name: 'currency', value: 'eur' },
				{ name: 'source', value: 'tok_visa' },
				{ name: 'description', value: '={{ $json.orderId }}' },
			],
		},
		// The mock sends what it repeats as HTML; Stripe itself does not.
		options: { response: { response: { responseFormat: 'json' } } },
	},
	credentials: { stripeApi },
});

/** n8n's Send Email node as a tool. */
const mailTool = (smtp: Credential): WorkflowNode => ({
	name: 'Mail',
	type: 'n8n-nodes-base.emailSendTool',
	typeVersion: 2.1,
	parameters: {
		fromEmail: 'shop@example.com',
		toEmail: 'customer@example.com',
		subject: '={{ $json.orderId }}',
		emailFormat: 'text',
		text: '=Your order {{ $json.orderId }} is on its way.',
		options: { appendAttribution: false },
	},
	credentials: { smtp },
});

beforeAll(async () => {
	[n8n, journal, mcp, stripe, mail] = await Promise.all([
		startN8n(),
		startJournal(),
		startMcpServer(),
		startStripeMock(),
		startMailServer(),
	]);
	const { client } = n8n;
	const journalApi = await client.createCredential('journalApi', {
		baseUrl: journal.baseUrl,
		apiKey: journal.apiKey,
	});
	const stripeApi = await client.createCredential('stripeApi', { secretKey: STRIPE_KEY });
	const smtp = await client.createCredential('smtp', {
		...{ user: '', password: '', host: '127.0.0.1', port: mail.port, hostName: '' },
		...{ secure: false, disableStartTls: true },
	});
	await create('echo', journalApi, mcpTool(mcp.url), {
		toolName: 'echo',
		toolArguments: '={{ { message: $json.orderId } }}',
	});
	await create('long', journalApi, mcpTool(mcp.url), {
		toolName: 'trigger-long-running-operation',
		toolArguments: '={{ { duration: 100, steps: 1 } }}',
	});
	await create(
		'charge',
		journalApi,
		chargeTool(stripeApi),
		{},
		{ options: { onInDoubt: 'retry' } },
	);
	const fiveTries = { retryOnFail: true, maxTries: 5, waitBetweenTries: 0 };
	await create('mail', journalApi, mailTool(smtp), {}, { settings: fiveTries });

	// One after the other, so that what is withheld is that of the one that was started.
	killed.set('long', await start('long', 'mcp-killed'));
	stripe.withholdNext();
	killed.set('charge', await start('charge', 'stripe-killed'));
	mail.withholdNext();
	killed.set('mail', await start('mail', 'mail-killed'));
	await waitUntil(
		'all three to have a call',
		() =>
			mcp.calls('trigger-long-running-operation').length === 1 &&
			stripe.withheld() === 1 &&
			mail.mails('mail-killed').length === 1,
		{ timeoutMs: 60_000 },
	);
	await n8n.kill('SIGKILL');
	await n8n.restart();
});
afterAll(async () => {
	await n8n?.stop();
	await mcp?.stop();
	await stripe?.stop();
	await mail?.stop();
	await journal?.stop();
});

describe('a tool of an MCP server', () => {
	it('is called once for a run, however often the run is triggered', async () => {
		const first = itemOf(await run('echo', 'mcp-once'));
		const second = itemOf(await run('echo', 'mcp-once'));
		expect(JSON.stringify(first)).toContain('Echo: mcp-once');
		expect({ ...second, durable: undefined }).toEqual({ ...first, durable: undefined });
		expect([first.durable.replayed, second.durable.replayed]).toEqual([false, true]);
		expect(mcp.calls('echo')).toEqual([{ message: 'mcp-once' }]);
	});

	it('is in doubt when n8n is killed while it works, and is not called again', async () => {
		expect(failureOf(await retried('long')).message).toMatch(/ is in doubt: /);
		expect(await stateOf('mcp-killed')).toEqual(['in_doubt']);
		expect(mcp.calls('trigger-long-running-operation')).toHaveLength(1);
	});
});

describe('a charge', () => {
	it('is made once for a run', async () => {
		const before = stripe.attempts();
		const first = itemOf(await run('charge', 'stripe-once'));
		const second = itemOf(await run('charge', 'stripe-once'));
		expect(first).toMatchObject({ object: 'charge', amount: 490, paid: true });
		expect(second).toMatchObject({ id: first.id, durable: { replayed: true } });
		expect(await stripe.charges('stripe-once')).toHaveLength(1);
		expect(stripe.attempts() - before).toBe(1);
	});

	it('that was made when n8n was killed is recognised by its key, and there is one', async () => {
		const before = stripe.attempts();
		const item = itemOf(await retried('charge'));
		const charges = await stripe.charges('stripe-killed');
		expect(charges.map(({ id }) => id)).toEqual([item.id]);
		expect(item.durable).toMatchObject({ attempt: 2, replayed: false });
		expect(stripe.attempts() - before).toBe(1);
	});
});

describe('a mail', () => {
	it('is sent once for a run, however often the run is triggered', async () => {
		const first = itemOf(await run('mail', 'mail-once'));
		const second = itemOf(await run('mail', 'mail-once'));
		expect(second.messageId).toBe(first.messageId);
		expect(mail.mails('mail-once')).toEqual([
			{
				to: 'customer@example.com',
				subject: 'mail-once',
				text: 'Your order mail-once is on its way.',
			},
		]);
	});

	it('is in doubt when n8n is killed while it is sent, and none is sent again, also by Retry On Fail', async () => {
		expect(failureOf(await retried('mail')).message).toMatch(/ is in doubt: /);
		expect(await stateOf('mail-killed')).toEqual(['in_doubt']);
		expect(mail.mails('mail-killed')).toHaveLength(1);
	});

	it('that the server refused before it took it is no doubt, and is sent when it is tried again', async () => {
		mail.refuseNext();
		const { message } = failureOf(await run('mail', 'mail-refused'));
		expect(message).toMatch(/ failed and trying again as it is will not help: .*Mailbox is busy/);
		expect(await stateOf('mail-refused')).toEqual(['failed']);
		expect(mail.mails('mail-refused')).toEqual([]);
		expect(itemOf(await run('mail', 'mail-refused')).durable).toMatchObject({ attempt: 2 });
		expect(mail.mails('mail-refused')).toHaveLength(1);
	});
});
