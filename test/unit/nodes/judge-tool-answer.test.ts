import type { ITaskData } from 'n8n-workflow';
import { judgeToolAnswer, type ToolAnswer } from '../../../nodes/shared/judge-tool-answer';

const HTTP_TOOL = 'n8n-nodes-base.httpRequestTool';

function judge(data: object, facts: object = {}) {
	return judgeToolAnswer(
		{ action: {} as ToolAnswer['action'], data: data as ITaskData },
		{
			toolType: HTTP_TOOL,
			named: false,
			repeatable: false,
			now: 0,
			...facts,
		},
	);
}

const success = (items: unknown) => ({ executionStatus: 'success', data: { ai_tool: [items] } });
const failure = (error: object) => ({ executionStatus: 'error', error });
/** What the HTTP Request Tool gives with headers and status, and Never Error. */
const answered = (statusCode: number, headers: object = {}) =>
	success([{ json: { statusCode, headers, body: {} } }]);
const verdictOf = (judged: ReturnType<typeof judge>) =>
	judged.ok ? 'success' : judged.failure.verdict;

it('keeps of a success the items with their binaries, and nothing of where they came from', () => {
	const binary = { file: { data: 'filesystem-v2:x', mimeType: 'text/plain' } };
	const judged = judge(
		success([
			{ json: { a: 1 }, pairedItem: { item: 0 } },
			{ json: {}, binary },
		]),
	);
	expect(judged).toEqual({ ok: true, items: [{ json: { a: 1 } }, { json: {}, binary }] });
});

it.each<[string, object, object, string]>([
	['nothing returned', success([]), {}, 'success'],
	['nothing from a toolkit', success([]), { named: true }, 'in_doubt'],
	['no list', success(null), {}, 'in_doubt'],
	['no data', { executionStatus: 'success' }, {}, 'in_doubt'],
	['an item with error', success([{ json: {} }, { json: { error: 'x' } }]), {}, 'in_doubt'],
	['an item that is an error', success([{ json: {}, error: {} }]), {}, 'in_doubt'],
	['a false member error', success([{ json: { error: false } }]), {}, 'success'],
	['another status', { executionStatus: 'waiting', data: { ai_tool: [[]] } }, {}, 'in_doubt'],
	['no status', { data: { ai_tool: [[{ json: {} }]] } }, {}, 'in_doubt'],
	['a refusal', failure({ httpCode: '422' }), {}, 'terminal'],
	['not sent', failure({ cause: { code: 'ECONNREFUSED' } }), {}, 'retryable'],
	['a server error', failure({ httpCode: '500' }), {}, 'in_doubt'],
	['a server error, repeatable', failure({ httpCode: '500' }), { repeatable: true }, 'retryable'],
	['empty items from a toolkit', success([{ json: {} }]), { named: true }, 'in_doubt'],
	['an answer that tells a refusal', answered(422), {}, 'terminal'],
	['an answer that tells a server error', answered(500), {}, 'in_doubt'],
	[
		'a status in the result of another tool',
		answered(422),
		{ toolType: 'x.postgresTool' },
		'success',
	],
	['an answer that tells a success', answered(302), {}, 'success'],
	['no list, repeatable', success(null), { repeatable: true }, 'retryable'],
])('%s', (_what, data, facts, verdict) => {
	expect(verdictOf(judge(data, facts))).toBe(verdict);
});

it('reads Retry-After and the code where the answer comes with headers and status', () => {
	const limited = judge(answered(429, { 'retry-after': '7' }));
	expect(limited).toMatchObject({
		failure: { verdict: 'retryable', status: 429, retryAfterMs: 7000 },
	});
	const body = { error: { code: 'insufficient_quota' } };
	const exhausted = judge(success([{ json: { statusCode: 429, headers: {}, body } }]));
	expect(exhausted).toMatchObject({
		failure: { verdict: 'terminal', code: 'insufficient_quota' },
	});
});

it.each([
	'@n8n/n8n-nodes-langchain.toolWorkflow',
	'@n8n/n8n-nodes-langchain.toolCode',
	'@n8n/n8n-nodes-langchain.agentTool',
	'n8n-nodes-base.codeTool',
])('%s may have done something before it failed, whatever the error says', (toolType) => {
	for (const error of [{ httpCode: '422' }, { cause: { code: 'ECONNREFUSED' } }]) {
		expect(verdictOf(judge(failure(error), { toolType }))).toBe('in_doubt');
	}
	expect(verdictOf(judge(failure({ httpCode: '422' }), { toolType, repeatable: true }))).toBe(
		'terminal',
	);
});
