/** Idempotent Tool Call in a real n8n that is killed while receivers hold its calls. */
import { createHash } from 'node:crypto';
import { startJournal, type Journal } from '../journal-process';
import { startStandIns, type StandIns } from '../stand-ins-process';
import { waitUntil } from '../wait-until';
import {
	callNode,
	failureOf,
	httpTool,
	oneCall,
	resolveStep,
	stepsOf,
	type Credential,
} from './idempotent-tool-call-workflow';
import { outputsOf, type Execution } from './n8n/n8n-client';
import { startN8n, type N8n } from './n8n/start-n8n';

jest.setTimeout(240_000);

let n8n: N8n;
let journal: Journal;
let standIns: StandIns;

interface Case {
	/** Order number, webhook path and name of the case. */
	name: string;
	operation: 'connectedTool' | 'httpRequest';
	/** Whether the receiver held the call before or after its effect. */
	when: 'before' | 'after';
	/** The receiver recognises the key and the node may try again. */
	idempotent?: boolean;
	saveProgress?: boolean;
	/** The Run ID is left empty. */
	automatic?: boolean;
	/** How the person settles the doubt, knowing what the receiver did. */
	resolve?: 'retry' | 'completed';
}

const CASES: Case[] = [
	{ name: 'tool-before', operation: 'connectedTool', when: 'before', resolve: 'retry' },
	{ name: 'tool-after', operation: 'connectedTool', when: 'after', resolve: 'completed' },
	{
		name: 'tool-after-saved',
		operation: 'connectedTool',
		when: 'after',
		saveProgress: true,
		resolve: 'completed',
	},
	{
		name: 'tool-before-saved',
		operation: 'connectedTool',
		when: 'before',
		saveProgress: true,
		resolve: 'retry',
	},
	{ name: 'tool-idempotent', operation: 'connectedTool', when: 'after', idempotent: true },
	{
		name: 'tool-automatic',
		operation: 'connectedTool',
		when: 'after',
		automatic: true,
		resolve: 'completed',
	},
	{ name: 'http-before', operation: 'httpRequest', when: 'before', resolve: 'retry' },
	{ name: 'http-after', operation: 'httpRequest', when: 'after', resolve: 'completed' },
	{ name: 'http-idempotent', operation: 'httpRequest', when: 'after', idempotent: true },
];

const pathOf = ({ idempotent }: Case) => (idempotent ? '/idempotent/invoices' : '/invoices');
/** Each execution has two items: the first is done before the kill, the second is held. */
const firstOf = ({ name }: Case) => `${name}-1`;
const heldOf = ({ name }: Case) => `${name}-2`;

/** By name: the execution that was killed, and the one that retried it. */
const killed = new Map<string, string>();
const retried = new Map<string, string>();

async function createWorkflow(one: Case, credential: Credential): Promise<string> {
	const url = standIns.baseUrl + pathOf(one);
	const parameters = {
		operation: one.operation,
		...(one.operation === 'httpRequest' && {
			method: 'POST',
			url,
			sendBody: true,
			body: '={{ $json }}',
		}),
		...(one.automatic && { runId: '' }),
	};
	return await n8n.client.createWorkflow(
		oneCall(
			one.name,
			callNode(credential, parameters, one.idempotent ? { onInDoubt: 'retry' } : {}),
			one.operation === 'connectedTool' ? [httpTool(url)] : [],
			one.saveProgress ? { saveExecutionProgress: true } : {},
		),
	);
}

beforeAll(async () => {
	[n8n, journal, standIns] = await Promise.all([startN8n(), startJournal(), startStandIns()]);
	const { baseUrl, apiKey } = journal;
	const credential = await n8n.client.createCredential('journalApi', { baseUrl, apiKey });
	for (const one of CASES) {
		await standIns.hold({ path: pathOf(one), ref: heldOf(one), when: one.when });
		const workflowId = await createWorkflow(one, credential);
		const orders = [firstOf(one), heldOf(one)];
		killed.set(one.name, await n8n.client.run(workflowId, one.name, { orders }));
	}
	await standIns.waitForHeld(CASES.length);
	// Sent at the same time as the held ones, these are recorded a moment later.
	for (const one of CASES.filter(({ operation }) => operation === 'httpRequest'))
		await waitUntil(`${firstOf(one)} to be recorded`, async () => {
			const [step] = await stepsOf(journal, firstOf(one));
			return step?.state === 'completed';
		});
	await n8n.kill('SIGKILL');
	await standIns.release();
	await n8n.restart();
	for (const one of CASES) {
		const id = killed.get(one.name)!;
		await n8n.client.waitForStatus(id, 'crashed');
		retried.set(one.name, await n8n.client.retry(id));
	}
});
afterAll(async () => {
	await n8n?.stop();
	await Promise.all([journal?.stop(), standIns?.stop()]);
});

/** The step that was held when n8n was killed. */
async function heldStep(one: Case) {
	if (!one.automatic) return (await stepsOf(journal, heldOf(one)))[0]!;
	const { resumeToken } = (await n8n.client.execution(killed.get(one.name)!)).data;
	const runId = `exec:${createHash('sha256').update(resumeToken).digest('hex')}`;
	return (await stepsOf(journal, runId)).find(({ state }) => state === 'in_doubt')!;
}

const effects = async (order: string, path: string) =>
	(await standIns.counts()).byRef[order]?.[path] ?? 0;

const finished = async (id: string): Promise<Execution> =>
	await n8n.client.waitForStatus(id, ['success', 'error'], 60_000);

const itemsOf = (execution: Execution) => outputsOf(execution).End![0]![0];

describe.each(CASES.filter(({ idempotent }) => !idempotent))('$name', (one) => {
	it('says in one sentence that nobody knows, and repeats nothing', async () => {
		const execution = await finished(retried.get(one.name)!);
		const step = await heldStep(one);
		expect(execution.status).toBe('error');
		expect(step.state).toBe('in_doubt');
		const { message, description } = failureOf(execution);
		expect(message).toMatch(new RegExp(`^Step ".+" is in doubt: .*resolve step ${step.key}`));
		expect(description).toContain(`POST ${journal.baseUrl}/v1/steps/${step.key}/resolve`);
		expect(await effects(firstOf(one), pathOf(one))).toBe(1);
		expect(await effects(heldOf(one), pathOf(one))).toBe(one.when === 'after' ? 1 : 0);
	});

	it('goes on once a person has looked', async () => {
		const step = await heldStep(one);
		const isTool = one.operation === 'connectedTool';
		const found = { invoiceId: 'INV-seen' };
		await resolveStep(
			journal,
			step.key,
			one.resolve!,
			one.resolve === 'completed' ? found : undefined,
		);
		const execution = await finished(await n8n.client.retry(retried.get(one.name)!));
		expect(failureOf(execution).message).toBe('');
		const [first, second] = itemsOf(execution);
		expect(first).toMatchObject({ durable: { attempt: 1, replayed: true } });
		if (one.resolve === 'completed') {
			expect(second).toMatchObject({ ...found, durable: { replayed: true } });
		} else {
			const invoice = isTool ? second : second.body;
			expect(invoice).toMatchObject({ state: 'issued' });
			expect(second.durable).toMatchObject({ attempt: 2, replayed: false });
		}
		expect(await effects(firstOf(one), pathOf(one))).toBe(1);
		expect(await effects(heldOf(one), pathOf(one))).toBe(1);
	});
});

describe.each(CASES.filter(({ idempotent }) => idempotent))('$name', (one) => {
	it('tries again under the same key, and the receiver ignores the repeat', async () => {
		const execution = await finished(retried.get(one.name)!);
		expect(failureOf(execution).message).toBe('');
		const [first, second] = itemsOf(execution);
		expect(first.durable).toMatchObject({ attempt: 1, replayed: true });
		expect(second.durable).toMatchObject({ attempt: 2, replayed: false });
		expect(await effects(firstOf(one), pathOf(one))).toBe(1);
		expect(await effects(heldOf(one), pathOf(one))).toBe(1);
	});
});

it('never did anything twice', async () => {
	const { doubled, replayedByReceiver } = await standIns.counts();
	expect(doubled).toEqual([]);
	expect(replayedByReceiver).toBe(2);
});
