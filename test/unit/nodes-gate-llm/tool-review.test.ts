import type { IDataObject, IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';
import type { Decision, GateState } from '../../../service/contract/gates';
import { noteAgentsBegan } from '../../../nodes/ApprovalGate/agent-call';
import { readReview } from '../../../nodes/ApprovalGate/tool-review';
import { wakeUp } from '../../../nodes/ApprovalGate/wake-up';
import { agentRun, type WaitingCall } from './agent-run';
import { decision, gate, GATE_ID } from './gate';

const TYPE = 'n8n-nodes-durable.approvalGateHitlTool';
const charge: WaitingCall = { id: 'call_1', tool: 'Charge', args: { order: 7, amount: 5 } };
const other: WaitingCall = { id: 'call_2', tool: 'Charge', args: { order: 8, amount: 6 } };

/** Wakes the review of the first call, about which the journal says this. */
async function decided(
	run: Partial<ReturnType<typeof agentRun>>,
	state: GateState,
	facts: Partial<Decision>,
): Promise<IDataObject> {
	const body = gate({ state, decision: decision(facts) });
	const context = {
		runExecutionData: run.runExecutionData,
		evaluateExpression: () => [
			{ json: { gateId: GATE_ID, chatInput: 'what a person once wrote' } },
		],
		getBodyData: () => ({ gateId: GATE_ID }),
		getCredentials: async () => ({ baseUrl: 'http://journal.test', apiKey: 'k' }),
		getNode: () => ({ name: 'Review', type: TYPE }),
		helpers: { httpRequest: async () => ({ statusCode: 200, body }) },
	};
	const { workflowData } = await wakeUp(context as unknown as IWebhookFunctions);
	expect(workflowData).toHaveLength(1);
	expect(workflowData![0]).toHaveLength(1);
	return workflowData![0]![0]!.json;
}

describe('an approved call', () => {
	it('goes to its tool as it is', async () => {
		const run = agentRun([charge, other]);
		expect(await decided(run, 'approved', {})).toMatchObject({ approved: true });
		expect([run.givenTo(0), run.givenTo(1), run.told()]).toEqual([charge.args, other.args, []]);
	});

	it('goes to its tool with what a person changed, and no other call does', async () => {
		const run = agentRun([charge, other]);
		const before = structuredClone(charge.args);
		expect(await decided(run, 'approved', { edits: { amount: 4 } })).toMatchObject({
			approved: true,
			edits: { amount: 4 },
		});
		expect(run.givenTo(0)).toEqual({ order: 7, amount: 4 });
		expect(run.givenTo(1)).toEqual(other.args);
		// What the gate was opened with stays what it was.
		expect(charge.args).toEqual(before);
	});

	it.each<[string, WaitingCall, IDataObject]>([
		['arguments that are one text', { ...charge, args: 'a text' }, { input: 'another' }],
		['the tool itself', charge, { tool: 'Refund' }],
	])('is not approved where somebody changed %s; the model is told', async (_, call, edits) => {
		const run = agentRun([call]);
		const json = await decided(run, 'approved', { edits });
		expect(json).toMatchObject({ approved: false });
		expect(json.chatInput).toContain(`with other arguments: ${JSON.stringify(edits)}`);
		expect(run.givenTo(0)).toEqual(call.args);
	});

	it.each<[string, object]>([
		['n8n has no notes of an agent', { executionData: { nodeExecutionStack: [] } }],
		['n8n keeps them elsewhere', {}],
	])('is not approved where %s: nobody knows what would run', async (_, runExecutionData) => {
		const run = { runExecutionData } as ReturnType<typeof agentRun>;
		expect(await decided(run, 'approved', { edits: { amount: 4 } })).toMatchObject({
			approved: false,
		});
		expect(await decided(run, 'approved', {})).toMatchObject({ approved: false });
	});
});

describe('a call that is not approved', () => {
	it.each<[GateState, Partial<Decision>, RegExp]>([
		['rejected', { decision: 'reject', comment: 'no' }, /^REJECTED: .*They say: no The tool did/],
		['rejected', { decision: 'reject' }, /^REJECTED: a person rejected this call. The tool did/],
		['rejected', { decision: 'changes', comment: 'less' }, /^CHANGES REQUESTED: .*say: less /],
		['expired', { decision: 'reject', via: 'deadline' }, /^NOT APPROVED IN TIME/],
		['expired', { decision: 'approve', via: 'deadline' }, /^NOT APPROVED IN TIME/],
		['cancelled', { decision: 'approve' }, /^NOT APPROVED: the question .* was withdrawn/],
	])('tells the model in words: %s, %p', async (state, facts, words) => {
		const json = await decided(agentRun([charge]), state, { ...facts, by: 'Maria' });
		expect(json).toMatchObject({ approved: false, chatInput: expect.stringMatching(words) });
		expect(json.chatInput).not.toMatch(/Maria|http|[0-9a-f]{64}/);
	});

	const rejected = { decision: 'reject', comment: 'no' } as const;

	it('is told beside other calls of its turn where n8n keeps what was told, once', async () => {
		const run = agentRun([charge, other]);
		await decided(run, 'rejected', rejected);
		const json = await decided(run, 'rejected', rejected);
		const [step, ...more] = run.told();
		expect(more).toEqual([]);
		expect(step.action).toMatchObject({ toolCallId: 'call_1', tool: 'Charge' });
		expect(step.action.messageLog[0].kwargs.tool_calls).toEqual([
			{
				id: 'call_1',
				name: 'Charge',
				args: { tool: 'Charge', order: 7, amount: 5 },
				type: 'tool_call',
			},
		]);
		expect(JSON.parse(step.observation)).toEqual([{ output: json.chatInput }]);
	});

	it.each<[string, ReturnType<typeof agentRun>]>([
		['it stands alone', agentRun([charge])],
		['the agent works on several items', agentRun([charge, other], { items: 2 })],
		['its model signs its thoughts', agentRun([{ ...charge, metadata: { google: {} } }, other])],
	])('is told in n8n’s own way where %s', async (_, run) => {
		await decided(run, 'rejected', rejected);
		expect(run.told()).toEqual([]);
	});
});

describe('what people are asked', () => {
	/** Reads the review in `execute()`, where n8n has taken the run's entry off its stack. */
	function read(call: WaitingCall, parameters: IDataObject = {}, items = 1) {
		const { runExecutionData } = agentRun([call], { items });
		const own = runExecutionData.executionData.nodeExecutionStack.shift();
		const context = {
			runExecutionData,
			getExecuteData: () => own,
			getChildNodes: () => [],
			getNode: () => ({ name: 'Review', type: TYPE, parameters }),
			getNodeParameter: (name: string, _: number, fallback: unknown) =>
				parameters[name] ?? fallback,
		};
		return readReview(context as unknown as IExecuteFunctions);
	}

	it('names the tool and its arguments, and nothing that changes between tries', () => {
		const { input, title, message, toolCallId } = read(charge);
		expect(input).toEqual({ tool: 'Charge', order: 7, amount: 5 });
		expect(title).toBe('Run the tool "Charge"?');
		expect(message).toContain('"Agent" wants to run the tool "Charge"');
		expect(toolCallId).toBe('call_1');
		expect(read({ ...charge, id: 'call_9' }).input).toEqual(input);
	});

	it.each([
		['a text', { tool: 'Charge', input: 'a text' }],
		[undefined, { tool: 'Charge', input: null }],
	])('takes arguments that are %p', (args, input) => {
		expect(read({ ...charge, args }).input).toEqual(input);
	});

	it('uses what a person wrote, and not the text that n8n writes into every review', () => {
		const ofN8n =
			'=The agent wants to run this tool: {{ $tool.name }}\n\nInput:\n{{ $tool.parameters }}';
		expect(read(charge, { message: ofN8n }).message).toContain('"Agent" wants');
		expect(read(charge, { title: 'Pay?', message: 'Mind the limit' })).toMatchObject({
			title: 'Pay?',
			message: 'Mind the limit',
		});
	});

	it.each<[WaitingCall, IDataObject, number, RegExp]>([
		[charge, {}, 2, /works on 2 items/],
		[{ ...charge, aside: { approved: true } }, {}, 1, /carries "approved"/],
		[{ ...charge, aside: { tool: 'Harmless' } }, { title: '={{ $fromAI("tool") }}' }, 1, /"tool"/],
		[
			{ ...charge, aside: { runId: '1' } },
			{ title: '={{ $fromAI("why") }}' },
			1,
			/carries "runId"/,
		],
		[{ ...charge, args: { tool: 'Refund' } }, {}, 1, /argument named "tool"/],
	])('refuses %j with %j and %i items', (call, parameters, items, words) => {
		expect(() => read(call, parameters, items)).toThrow(words);
	});

	it('takes from the model what a field asks it for', () => {
		const title = "={{ $fromAI('why', 'the reason', 'string') }}";
		expect(() => read({ ...charge, aside: { why: 'it is due' } }, { title })).not.toThrow();
	});
});

it('makes n8n know every agent that waits as a node that has begun', () => {
	const { runExecutionData } = agentRun([charge]);
	noteAgentsBegan({ runExecutionData });
	noteAgentsBegan({});
	expect(runExecutionData.resultData.runData).toEqual({ Agent: [] });
});
