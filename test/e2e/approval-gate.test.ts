/** The Approval Gate in a real n8n, with a real journal. */
import { httpRequest } from '../http-request';
import { startJournal, type Journal } from '../journal-process';
import { startStandIns, type StandIns } from '../stand-ins-process';
import { waitUntil } from '../wait-until';
import {
	branches,
	decide,
	decisionUrl,
	gateNode,
	oneGate,
	openGate,
	openGates,
	readGate,
	wakeUp,
	type Credential,
} from './gate-workflow';
import { errorOf } from './n8n/n8n-client';
import { startN8n, type N8n } from './n8n/start-n8n';
import { httpPost, noOp, to, webhook } from './n8n/workflow-parts';

jest.setTimeout(180_000);

let n8n: N8n;
let journal: Journal;
let standIns: StandIns;
let credential: Credential;
/** Of the workflow with one gate that most tests use. */
let workflowId: string;

beforeAll(async () => {
	journal = await startJournal();
	standIns = await startStandIns();
	n8n = await startN8n({ env: { N8N_METRICS: 'true' } });
	const { baseUrl, apiKey } = journal;
	credential = await n8n.client.createCredential('journalApi', { baseUrl, apiKey });
	workflowId = await n8n.client.createWorkflow(oneGate('gate', credential));
});
afterAll(async () => {
	await n8n?.stop();
	await standIns?.stop();
	await journal?.stop();
});

/** Starts the workflow with one gate and returns when n8n waits and the gate is open. */
async function waiting(order: string) {
	const id = await n8n.client.run(workflowId, 'gate', { order });
	const gate = await openGate(journal, order);
	await n8n.client.waitForStatus(id, 'waiting');
	return { id, gate };
}

async function finished(id: string) {
	const execution = await n8n.client.waitForStatus(id, ['success', 'error', 'crashed']);
	expect([execution.status, errorOf(execution)]).toEqual(['success', undefined]);
	return execution;
}

describe('a decision', () => {
	it('sends the approved to output 1, and no URL or token with them', async () => {
		const { id, gate } = await waiting('approve');
		expect(await decide(journal, gate.gateId, 'approve')).toBe(200);
		const execution = await finished(id);
		const { approved, notApproved } = branches(execution);
		expect(notApproved).toEqual([]);
		expect(approved).toEqual([
			expect.objectContaining({
				approved: true,
				decision: 'approve',
				decidedBy: 'Operator',
				via: 'api',
				comment: 'approve it',
				edits: null,
				gateId: gate.gateId,
				waitedMs: expect.any(Number),
				body: { order: 'approve' },
			}),
		]);
		const seen = JSON.stringify(execution.data.resultData.runData);
		expect(seen).not.toContain('webhook-waiting');
		expect(seen).not.toContain('signature=');
		expect(seen).not.toContain(execution.data.resumeToken);
		expect(seen).not.toContain('/gates/');
		await waitUntil('the wake-up to be done', async () => {
			return (await readGate(journal, gate.gateId)).wake?.state === 'done';
		});
	});

	it('sends the rejected to output 0', async () => {
		const { id, gate } = await waiting('reject');
		await decide(journal, gate.gateId, 'reject');
		const { approved, notApproved } = branches(await finished(id));
		expect(approved).toEqual([]);
		expect(notApproved).toMatchObject([
			{ approved: false, decision: 'reject', decidedBy: 'Operator' },
		]);
	});

	it('that is already there lets another execution of the run through at once', async () => {
		const { id, gate } = await waiting('again');
		await decide(journal, gate.gateId, 'approve');
		await finished(id);
		const second = await finished(await n8n.client.run(workflowId, 'gate', { order: 'again' }));
		expect(branches(second).approved).toMatchObject([{ approved: true, gateId: gate.gateId }]);
	});
});

describe('the items that come out', () => {
	it('know which items went in', async () => {
		const id = await n8n.client.createWorkflow({
			name: 'Pairing',
			nodes: [
				webhook('pairing'),
				{
					name: 'Split',
					type: 'n8n-nodes-base.splitOut',
					typeVersion: 1,
					parameters: { fieldToSplitOut: 'body.items', options: {} },
				},
				gateNode('Gate', credential),
				{
					name: 'Approved',
					type: 'n8n-nodes-base.set',
					typeVersion: 3.4,
					parameters: {
						assignments: {
							assignments: [
								{
									id: 'a',
									name: 'name',
									type: 'string',
									value: "={{ $('Split').item.json.name }}",
								},
							],
						},
						options: {},
					},
				},
			],
			connections: {
				Webhook: { main: [[to('Split')]] },
				Split: { main: [[to('Gate')]] },
				Gate: { main: [[], [to('Approved')]] },
			},
		});
		const items = [{ name: 'a' }, { name: 'b' }];
		const executionId = await n8n.client.run(id, 'pairing', { order: 'pairing', items });
		const gate = await openGate(journal, 'pairing');
		await decide(journal, gate.gateId, 'approve');
		expect(branches(await finished(executionId)).approved).toEqual(items);
	});
});

describe('a deadline', () => {
	it.each([
		['approve', true, 'approved', 'active'],
		['reject', false, 'expired', 'active'],
		['abort', false, 'expired', 'cancelled'],
	])('with %s decides by itself, within two seconds', async (onDeadline, approves, state, run) => {
		const path = `deadline-${onDeadline}`;
		const deadline = { deadlineType: 'after', deadlineAmount: 2, deadlineUnit: 'seconds' };
		const id = await n8n.client.createWorkflow(
			oneGate(path, credential, { ...deadline, onDeadline }),
		);
		const executionId = await n8n.client.run(id, path, { order: path });
		const execution = await finished(executionId);
		const { approved, notApproved } = branches(execution);
		const [item] = approves ? approved : notApproved;
		expect([approved.length, notApproved.length]).toEqual(approves ? [1, 0] : [0, 1]);
		expect(item).toMatchObject({ approved: approves, via: 'deadline' });
		const gate = await readGate(journal, item.gateId);
		expect(gate.state).toBe(state);
		expect(gate.decision).toMatchObject({ via: 'deadline', policy: onDeadline });
		const late = Date.parse((execution as any).stoppedAt) - Date.parse(gate.deadline!);
		expect(late).toBeGreaterThanOrEqual(0);
		expect(late).toBeLessThan(2000);
		const { body } = await journal.request('GET', `/v1/runs/${path}`);
		expect(body.state).toBe(run);
	});
});

describe('several gates in one execution', () => {
	it('take each its own decision, and no wake-up of another', async () => {
		const id = await n8n.client.createWorkflow({
			name: 'Two gates',
			nodes: [
				webhook('two'),
				gateNode('First', credential),
				gateNode('Second', credential),
				noOp('Not approved'),
				noOp('Approved'),
			],
			connections: {
				Webhook: { main: [[to('First')]] },
				First: { main: [[to('Not approved')], [to('Second')]] },
				Second: { main: [[to('Not approved')], [to('Approved')]] },
			},
		});
		const executionId = await n8n.client.run(id, 'two', { order: 'two' });
		const first = await openGate(journal, 'two');
		await decide(journal, first.gateId, 'approve');
		const second = await openGate(journal, 'two');
		expect(second.gateId).not.toBe(first.gateId);
		await n8n.client.waitForStatus(executionId, 'waiting');

		const stale = await wakeUp(n8n.client, executionId, { gateId: first.gateId });
		expect([stale.status, stale.body]).toEqual([200, { stale: true }]);
		const open = await wakeUp(n8n.client, executionId, { gateId: second.gateId, approved: true });
		expect([open.status, open.body]).toEqual([409, { open: true }]);
		expect((await n8n.client.execution(executionId)).status).toBe('waiting');

		await decide(journal, second.gateId, 'reject');
		const { approved, notApproved } = branches(await finished(executionId));
		expect(approved).toEqual([]);
		expect(notApproved).toMatchObject([{ approved: false, gateId: second.gateId }]);
	});

	it('are asked anew in every round of a loop, even about the same', async () => {
		const id = await n8n.client.createWorkflow({
			name: 'Gate in a loop',
			nodes: [
				webhook('loop'),
				{
					name: 'Split',
					type: 'n8n-nodes-base.splitOut',
					typeVersion: 1,
					parameters: { fieldToSplitOut: 'body.items', options: {} },
				},
				{
					name: 'Loop',
					type: 'n8n-nodes-base.splitInBatches',
					typeVersion: 3,
					parameters: { options: {} },
				},
				gateNode('Gate', credential),
				noOp('Not approved'),
				noOp('Approved'),
			],
			connections: {
				Webhook: { main: [[to('Split')]] },
				Split: { main: [[to('Loop')]] },
				Loop: { main: [[], [to('Gate')]] },
				Gate: { main: [[to('Not approved')], [to('Approved')]] },
				'Not approved': { main: [[to('Loop')]] },
				Approved: { main: [[to('Loop')]] },
			},
		});
		const items = ['a', 'a', 'a'];
		const executionId = await n8n.client.run(id, 'loop', { order: 'loop', items });
		const gates: string[] = [];
		for (const decision of ['approve', 'reject', 'approve'] as const) {
			const gate = await openGate(journal, 'loop');
			gates.push(gate.gateId);
			await decide(journal, gate.gateId, decision);
			await waitUntil('the gate to close', async () => {
				return (await openGates(journal, 'loop')).every(({ gateId }) => gateId !== gate.gateId);
			});
		}
		const { approved, notApproved } = branches(await finished(executionId));
		expect(new Set(gates).size).toBe(3);
		expect(approved.map(({ gateId }) => gateId)).toEqual([gates[0], gates[2]]);
		expect(notApproved.map(({ gateId }) => gateId)).toEqual([gates[1]]);
	});
});

describe('without a decision of the journal it is not approved', () => {
	it('when the waiting execution is retried by the API', async () => {
		const { id, gate } = await waiting('retried');
		const retried = await finished(await n8n.client.retry(id));
		const { approved, notApproved } = branches(retried);
		expect(approved).toEqual([]);
		expect(notApproved).toMatchObject([{ approved: false, decision: null, gateId: gate.gateId }]);
	});

	it('when somebody disabled the node', async () => {
		const id = await n8n.client.createWorkflow(
			oneGate('disabled', credential, {}, { disabled: true }),
		);
		const executionId = await n8n.client.run(id, 'disabled', { order: 'disabled' });
		const { approved, notApproved } = branches(await finished(executionId));
		expect(approved).toEqual([]);
		expect(notApproved).toHaveLength(1);
		expect(await openGates(journal, 'disabled')).toEqual([]);
	});

	it('when the wake-up itself fails', async () => {
		const { baseUrl, apiKey } = journal;
		const own = await n8n.client.createCredential('journalApi', { baseUrl, apiKey }, 'to delete');
		const id = await n8n.client.createWorkflow(oneGate('broken', own));
		const executionId = await n8n.client.run(id, 'broken', { order: 'broken' });
		const gate = await openGate(journal, 'broken');
		await n8n.client.waitForStatus(executionId, 'waiting');
		await n8n.client.api('DELETE', `/credentials/${own.id}`);
		await decide(journal, gate.gateId, 'approve');
		for (const body of [{ gateId: gate.gateId }, {}, '{"gateId":'])
			expect((await wakeUp(n8n.client, executionId, body)).status).toBeGreaterThanOrEqual(400);
		const execution = await n8n.client.execution(executionId);
		expect(execution.status).toBe('waiting');
		expect(branches(execution).approved).toEqual([]);
	});

	it('when the journal cannot be asked, and goes on when it can again', async () => {
		const { id, gate } = await waiting('journal-down');
		await journal.kill();
		const refused = await wakeUp(n8n.client, id, { gateId: gate.gateId });
		expect(refused.status).toBe(503);
		expect((await n8n.client.execution(id)).status).toBe('waiting');
		await journal.restart();
		await decide(journal, gate.gateId, 'approve');
		expect(branches(await finished(id)).approved).toHaveLength(1);
	});

	it('when the node stops with an error it is told to continue after', async () => {
		const id = await n8n.client.createWorkflow(
			oneGate('error', credential, { title: '={{ "" }}' }, { onError: 'continueRegularOutput' }),
		);
		const executionId = await n8n.client.run(id, 'error', { order: 'error' });
		const { approved, notApproved } = branches(await finished(executionId));
		expect(approved).toEqual([]);
		expect(notApproved).toMatchObject([
			{ approved: false, error: expect.stringContaining('title') },
		]);
	});
});

describe('the link', () => {
	const CHROME =
		'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

	it('decides nothing when it is read, and once when it is posted fifty times', async () => {
		const { id, gate } = await waiting('link');
		const url = await decisionUrl(journal, gate);
		for (const method of ['GET', 'HEAD'])
			for (const agent of [CHROME, 'TelegramBot (like TwitterBot)', ''])
				expect((await httpRequest(method, url, undefined, { 'user-agent': agent })).status).toBe(
					200,
				);
		expect((await readGate(journal, gate.gateId)).state).toBe('open');
		expect((await n8n.client.execution(id)).status).toBe('waiting');

		const form = { 'content-type': 'application/x-www-form-urlencoded' };
		const answers = await Promise.all(
			Array.from({ length: 50 }, (_, index) =>
				httpRequest('POST', url, `decision=${index % 2 ? 'reject' : 'approve'}`, form),
			),
		);
		const statuses = answers.map(({ status }) => status);
		expect(statuses.filter((status) => status === 200 || status === 303)).toHaveLength(1);
		expect(statuses.filter((status) => status === 409)).toHaveLength(49);

		const execution = await finished(id);
		const { approved, notApproved } = branches(execution);
		const decided = await readGate(journal, gate.gateId);
		expect(decided.decisions).toHaveLength(1);
		expect(approved.length + notApproved.length).toBe(1);
		expect(approved.length).toBe(decided.state === 'approved' ? 1 : 0);
		expect(execution.data.resultData.runData.Gate).toHaveLength(1);
		await waitUntil('one wake-up, done', async () => {
			const { wakes } = await readGate(journal, gate.gateId);
			return wakes.length === 1 && wakes[0]!.state === 'done';
		});
	});
});

describe('kill -9 of n8n after the decision, in the middle of a later node', () => {
	it('asks nobody again when the crashed execution is retried', async () => {
		const id = await n8n.client.createWorkflow({
			name: 'Act after the gate',
			nodes: [
				webhook('act'),
				gateNode('Gate', credential, { details: '={{ $json }}' }),
				noOp('Not approved'),
				noOp('Approved'),
				httpPost('Act', `${standIns.baseUrl}/mail/customer`, {}),
			],
			connections: {
				Webhook: { main: [[to('Gate')]] },
				Gate: { main: [[to('Not approved')], [to('Approved')]] },
				Approved: { main: [[to('Act')]] },
			},
		});
		await standIns.hold({ path: '/mail/customer' });
		// The first waits for its decision; the second of the same run finds it there, and never waits.
		const first = await n8n.client.run(id, 'act', { order: 'act' });
		const gate = await openGate(journal, 'act');
		await decide(journal, gate.gateId, 'approve');
		await standIns.waitForHeld(1);
		const second = await n8n.client.run(id, 'act', { order: 'act' });
		await standIns.waitForHeld(2);
		await n8n.kill('SIGKILL');
		await n8n.restart();
		await standIns.release();
		for (const crashed of [first, second]) {
			await n8n.client.waitForStatus(crashed, 'crashed');
			const execution = await n8n.client.waitForStatus(await n8n.client.retry(crashed), [
				'success',
				'waiting',
				'error',
			]);
			expect(execution.status).toBe('success');
			expect(branches(execution).approved.at(-1)).toMatchObject({
				approved: true,
				gateId: gate.gateId,
			});
		}
		const { body } = await journal.request('GET', '/v1/runs/act');
		expect(body.gates).toHaveLength(1);
	});
});

describe('kill -9 of n8n while it waits', () => {
	it('loses nothing, whether people decide meanwhile or later', async () => {
		const meanwhile = await waiting('meanwhile');
		const later = await waiting('later');
		await n8n.kill('SIGKILL');
		await decide(journal, meanwhile.gate.gateId, 'approve');
		await n8n.restart();
		expect(branches(await finished(meanwhile.id)).approved).toHaveLength(1);

		expect((await n8n.client.execution(later.id)).status).toBe('waiting');
		await decide(journal, later.gate.gateId, 'reject');
		const { approved, notApproved } = branches(await finished(later.id));
		expect([approved.length, notApproved.length]).toEqual([0, 1]);
	});
});

describe('a hundred waiting executions', () => {
	const COUNT = 100;

	/** Sockets and timers that a process keeps now, from its own metrics. */
	async function active(baseUrl: string, headers: Record<string, string> = {}) {
		const { body } = await httpRequest<string>('GET', `${baseUrl}/metrics`, undefined, headers);
		const count = (type: string) => {
			const line = new RegExp(`^\\w*nodejs_active_resources\\{type="${type}"\\} (\\d+)`, 'm');
			return Number(line.exec(body)?.[1] ?? 0);
		};
		expect(body).toContain('nodejs_active_resources');
		return { sockets: count('TCPSocketWrap'), timers: count('Timeout') };
	}
	const bothSides = async () => {
		const authorization = `Bearer ${journal.adminKey}`;
		return [await active(n8n.baseUrl), await active(journal.baseUrl, { authorization })];
	};

	it('hold no connection and no timer, on either side', async () => {
		const hours = { deadlineType: 'after', deadlineAmount: 5, deadlineUnit: 'hours' };
		const id = await n8n.client.createWorkflow(oneGate('hundred', credential, hours));
		const before = await bothSides();
		// The question itself comes over a socket, and both have timers of their own: that they are
		// counted shows that the hundred would be.
		for (const { sockets, timers } of before)
			expect([sockets > 0, timers > 0]).toEqual([true, true]);
		const orders = Array.from({ length: COUNT }, (_, index) => `hundred-${index}`);
		for (const order of orders) await n8n.client.trigger('hundred', { order });
		await waitUntil(
			'a hundred executions to wait',
			async () => {
				const executions = await n8n.client.lastExecutions(id, COUNT);
				return executions.filter(({ status }) => status === 'waiting').length === COUNT;
			},
			{ timeoutMs: 60_000, everyMs: 250 },
		);
		for (const order of orders) expect(await openGates(journal, order)).toHaveLength(1);
		// A handful may come and go at any time; one for each execution would be a hundred.
		await waitUntil('what the hundred starts left behind to be closed', async () => {
			const after = await bothSides();
			return after.every(
				({ sockets, timers }, side) =>
					sockets < before[side]!.sockets + COUNT / 10 &&
					timers < before[side]!.timers + COUNT / 10,
			);
		});
	});
});
