import type { IHttpRequestOptions, IWebhookFunctions } from 'n8n-workflow';
import { wakeUp } from '../../../nodes/ApprovalGate/wake-up';
import { decision, gate, GATE_ID } from './gate';

interface Situation {
	/** What the journal answers; a function may throw as a broken connection does. */
	journal: () => { statusCode: number; body: unknown };
	stamped?: unknown;
	sent?: unknown;
	responseBroken?: boolean;
}

/** Runs the wake-up in a context that has what n8n gives to `webhook()`. */
async function wake(situation: Situation) {
	const asked: IHttpRequestOptions[] = [];
	const answered: { status?: number; body?: unknown } = {};
	const response = {
		status(code: number) {
			if (situation.responseBroken) throw new Error('socket is gone');
			answered.status = code;
			return response;
		},
		json(body: unknown) {
			answered.body = body;
		},
	};
	const json = { order: 7, gateId: 'stamped' in situation ? situation.stamped : GATE_ID };
	const context = {
		evaluateExpression: (expression: string) => {
			if (expression !== '{{ $input.all() }}') throw new Error(`unexpected ${expression}`);
			return [{ json }];
		},
		getBodyData: () => situation.sent ?? { gateId: GATE_ID },
		getCredentials: async () => ({ baseUrl: 'http://journal.test', apiKey: 'k' }),
		getNodeParameter: () => ({}),
		getNode: () => ({ name: 'Gate', type: 'n8n-nodes-durable.approvalGate' }),
		getResponseObject: () => response,
		helpers: {
			httpRequest: async (options: IHttpRequestOptions) => {
				asked.push(options);
				return situation.journal();
			},
		},
	};
	const result = await wakeUp(context as unknown as IWebhookFunctions);
	return { result, answered, asked };
}

const answers = (body: unknown, statusCode = 200) => ({ journal: () => ({ statusCode, body }) });
const approved = gate({ state: 'approved', decision: decision() });
const rejected = gate({ state: 'rejected', decision: decision({ decision: 'reject' }) });

it('resumes an approved gate on output 1, as the journal says', async () => {
	const { result, asked } = await wake(answers(approved));
	expect(asked.map(({ method, url }) => [method, url])).toEqual([
		['GET', `http://journal.test/v1/gates/${GATE_ID}`],
	]);
	expect(result.webhookResponse).toEqual({ resumed: true });
	expect(result.workflowData).toMatchObject([[], [{ json: { order: 7, approved: true } }]]);
});

it('resumes a rejected gate on output 0', async () => {
	const { result } = await wake(answers(rejected));
	expect(result.workflowData).toMatchObject([[{ json: { approved: false } }], []]);
});

it('believes nothing but the gate id of a wake-up', async () => {
	const sent = { gateId: GATE_ID, approved: true, decision: 'approve', state: 'approved' };
	const { result, answered } = await wake({ ...answers(gate()), sent });
	expect(answered).toEqual({ status: 409, body: { open: true } });
	expect(result).toEqual({ noWebhookResponse: true });
});

it('asks for its own gate when the wake-up names none', async () => {
	const { result } = await wake({ ...answers(rejected), sent: {} });
	expect(result.workflowData).toMatchObject([[{ json: { approved: false } }], []]);
});

it.each(['c'.repeat(64), 7, null, { gateId: GATE_ID }])(
	'ignores a wake-up for another gate: %p',
	async (gateId) => {
		const { result, answered, asked } = await wake({ ...answers(approved), sent: { gateId } });
		expect(answered).toEqual({ status: 200, body: { stale: true } });
		expect(result).toEqual({ noWebhookResponse: true });
		expect(asked).toEqual([]);
	},
);

it.each([undefined, 7, null])('waits on where its own gate id is missing: %p', async (stamped) => {
	const { result, answered } = await wake({ ...answers(approved), stamped });
	expect(answered.status).toBe(503);
	expect(result).toEqual({ noWebhookResponse: true });
});

it.each([
	['refuses the key', answers({ code: 'unauthorized', detail: 'no' }, 401)],
	['does not know the gate', answers({ code: 'not_found', detail: 'no' }, 404)],
	['is something else', answers('<html>', 200)],
])('waits on where the journal %s', async (_, situation) => {
	const { result, answered } = await wake(situation);
	expect(answered.status).toBe(503);
	expect(result).toEqual({ noWebhookResponse: true });
});

it('does not approve a gate whose run was erased', async () => {
	const { result } = await wake(answers({ code: 'run_erased', detail: 'gone' }, 410));
	expect(result.workflowData).toMatchObject([[{ json: { approved: false, decision: null } }], []]);
});

it('throws nothing when even the answer cannot be sent', async () => {
	const { result } = await wake({ ...answers(gate()), responseBroken: true });
	expect(result).toEqual({ noWebhookResponse: true });
});

it('throws nothing when the context itself fails', async () => {
	const answered: number[] = [];
	const context = {
		evaluateExpression: () => {
			throw new Error('expression');
		},
		getResponseObject: () => ({ status: (code: number) => ({ json: () => answered.push(code) }) }),
	};
	expect(await wakeUp(context as unknown as IWebhookFunctions)).toEqual({
		noWebhookResponse: true,
	});
	expect(answered).toEqual([503]);
});
