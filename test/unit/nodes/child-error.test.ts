import type { IExecuteFunctions, INode, IRunExecutionData } from 'n8n-workflow';
import { classifyChildError } from '../../../nodes/IdempotentToolCall/operations/child-error';

type Run = [name: string, status: 'success' | 'error', more?: object];

const dataOf = (runs: Run[]) =>
	({
		resultData: {
			runData: Object.fromEntries(
				runs.map(([name, executionStatus, more], executionIndex) => [
					name,
					[{ executionStatus, executionIndex, ...more }],
				]),
			),
		},
	}) as unknown as IRunExecutionData;

const caller = { getNode: () => ({ type: 'pack.idempotentToolCall' }) as INode };

const classify = async (
	error: object,
	runs: Run[] | undefined,
	{ repeatable = false, fails = false } = {},
) =>
	await classifyChildError(
		{
			...caller,
			getExecutionDataById: async () => {
				if (fails) throw new Error('no database');
				return runs && dataOf(runs);
			},
		} as Pick<IExecuteFunctions, 'getExecutionDataById' | 'getNode'>,
		error,
		repeatable,
	);

/** The error of a durable node in the called workflow. */
const durableError = (verdict: string, type = 'pack.durableLlmStep') => ({
	message: 'Step "Inner" …',
	executionId: '7',
	node: { name: 'Inner', type },
	errorResponse: { context: { durable: { verdict, code: 'step_in_doubt' } } },
});
const plainError = { message: 'boom', executionId: '7', node: { name: 'Inner' } };

const TRIGGER: Run = ['Called', 'success'];
const INNER: Run = ['Inner', 'error'];

it.each<[string, object, Run[] | undefined, object, string]>([
	['no execution', { message: 'not active' }, undefined, {}, 'terminal'],
	['no execution, repeatable', { message: 'x' }, undefined, { repeatable: true }, 'terminal'],
	['not allowed to start', { ...plainError, node: {} }, [['Call', 'error']], {}, 'terminal'],
	['no data kept', plainError, undefined, {}, 'in_doubt'],
	['no data to be had', plainError, [TRIGGER, INNER], { fails: true }, 'in_doubt'],
	['a plain node alone', plainError, [TRIGGER, INNER], {}, 'in_doubt'],
	['a plain node, repeatable', plainError, [TRIGGER, INNER], { repeatable: true }, 'retryable'],
	['a refusal within', durableError('terminal'), [TRIGGER, INNER], {}, 'terminal'],
	['a doubt within', durableError('in_doubt'), [TRIGGER, INNER], {}, 'terminal'],
	['a wait within', durableError('retryable'), [TRIGGER, INNER], {}, 'retryable'],
	[
		'a refusal that a plain node handed on from a workflow that it called',
		durableError('terminal', 'n8n-nodes-base.executeWorkflow'),
		[TRIGGER, INNER],
		{},
		'in_doubt',
	],
	['a doubt, no data kept', durableError('in_doubt'), undefined, {}, 'in_doubt'],
	[
		'a refusal after another node',
		durableError('terminal'),
		[TRIGGER, ['Mail', 'success'], INNER],
		{},
		'in_doubt',
	],
	[
		'a refusal within, beside another node',
		durableError('terminal'),
		[TRIGGER, INNER, ['Mail', 'success']],
		{},
		'in_doubt',
	],
	[
		'a refusal of a node with its tool',
		durableError('terminal'),
		[TRIGGER, ['Tool', 'error', { inputOverride: {} }], INNER],
		{},
		'terminal',
	],
])('%s', async (_what, error, runs, setting, verdict) => {
	expect((await classify(error, runs, setting)).verdict).toBe(verdict);
});

it('a node that ran twice is more than one node', async () => {
	const runs: Run[] = [TRIGGER, INNER];
	const data = dataOf(runs);
	data.resultData.runData.Inner!.push({ executionStatus: 'error', executionIndex: 2 } as never);
	const context = { ...caller, getExecutionDataById: async () => data };
	const found = await classifyChildError(context, durableError('terminal'), false);
	expect(found.verdict).toBe('in_doubt');
});
