/** The rules of Idempotent Tools: what a call is, and when two are the same. */
import fc from 'fast-check';
import type { IExecuteFunctions } from 'n8n-workflow';
import {
	callArguments,
	declaredArguments,
	wrongArguments,
} from '../../../nodes/IdempotentTools/call-arguments';
import type { InnerTool } from '../../../nodes/IdempotentTools/inner-tools';
import { countSameCall } from '../../../nodes/IdempotentTools/same-calls';
import { refuseIdleRules, ruleFor } from '../../../nodes/IdempotentTools/tool-rules';
import { wordsForModel } from '../../../nodes/IdempotentTools/words-for-model';
import { JournalError } from '../../../nodes/shared/journal-error';
import { StepStopped, type StopKind } from '../../../nodes/shared/step-stopped';

/** As Zod looks to those who use it: n8n has two versions of it. */
const zodLike = (names: string[], open?: object) => ({
	shape: Object.fromEntries(names.map((name) => [name, {}])),
	safeParse: (value: Record<string, unknown>) => {
		const missing = names.find((name) => value[name] === undefined);
		return missing === undefined
			? { success: true }
			: {
					success: false,
					error: { issues: [{ path: ['lines', 0, missing], message: 'Required' }] },
				};
	},
	_def: open,
});
const jsonSchema = (more: object = {}) => ({
	type: 'object',
	properties: { amount: { type: 'number' }, note: { type: 'string' } },
	required: ['amount'],
	...more,
});
const ITEM = { tool: 'Charge', toolCallId: 'call_1', amount: 5, secret: 'of the agent’s item' };

describe('the arguments of a call', () => {
	it.each<[string, unknown, object]>([
		['Zod', zodLike(['amount']), { amount: 5 }],
		['JSON Schema', jsonSchema(), { amount: 5 }],
		['no schema', undefined, { amount: 5, secret: ITEM.secret }],
		[
			'Zod 3 that takes any',
			zodLike([], { unknownKeys: 'passthrough' }),
			{ amount: 5, secret: ITEM.secret },
		],
		[
			'Zod 4 that takes any',
			zodLike([], { catchall: { _zod: { def: { type: 'unknown' } } } }),
			{ amount: 5, secret: ITEM.secret },
		],
		[
			'JSON Schema that takes any',
			jsonSchema({ additionalProperties: true }),
			{ amount: 5, secret: ITEM.secret },
		],
		['Zod without members', zodLike([]), {}],
	])('are what the tool declares: %s', (_what, schema, args) => {
		expect(callArguments({ name: 'Charge', schema }, ITEM)).toEqual(args);
	});

	it('may have the name of something that every object has, and still be undeclared', () => {
		const item = JSON.parse('{"tool":"a","toolCallId":"b","constructor":"x","amount":1}') as object;
		expect(callArguments({ name: 'Charge', schema: jsonSchema() }, { ...item })).toEqual({
			amount: 1,
		});
	});

	it.each<[string, unknown, object, string | undefined]>([
		['fit', zodLike(['amount']), { amount: 5 }, undefined],
		['fit', jsonSchema(), { amount: 5 }, undefined],
		['are any', undefined, {}, undefined],
		['lack one', zodLike(['amount']), {}, 'lines.0.amount: Required'],
		['lack one', jsonSchema(), { note: 'x' }, 'amount: missing'],
	])('%s', (_what, schema, args, said) => {
		expect(wrongArguments({ name: 'Charge', schema }, { ...args })).toBe(said);
	});

	it('are told by name, for what no argument may be called', () => {
		expect(declaredArguments({ name: 't', schema: zodLike(['tool']) })).toEqual(['tool']);
	});
});

/** An execution; its node context survives as JSON. */
function executionOf(id: string, stored: object = {}) {
	const kept = JSON.parse(JSON.stringify(stored)) as object;
	return {
		kept,
		context: { getContext: () => kept, getExecutionId: () => id } as unknown as IExecuteFunctions,
	};
}

describe('the same call', () => {
	it('is the same in whatever order the model wrote it, and another with another argument', () => {
		const { context } = executionOf('1');
		const object = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 5 });
		fc.assert(
			fc.property(object, fc.uuid(), fc.uuid(), (args, first, second) => {
				fc.pre(first !== second);
				const reversed = Object.fromEntries(Object.entries(args).reverse());
				const before = countSameCall(context, 0, args, first);
				expect(countSameCall(context, 0, reversed, second)).toBe(before + 1);
			}),
		);
		expect(countSameCall(context, 0, { amount: 1.5 }, 'a')).toBe(1);
		expect(countSameCall(context, 0, { amount: '1.5' }, 'b')).toBe(1);
	});

	it('keeps its number when n8n comes back with the answer, and is counted anew by a retry and in another round', () => {
		const first = executionOf('1');
		const count = (execution: typeof first, round: number, id: string) =>
			countSameCall(execution.context, round, { amount: 5 }, id);
		expect([count(first, 0, 'a'), count(first, 0, 'b'), count(first, 0, 'a')]).toEqual([1, 2, 1]);
		const retry = executionOf('2', first.kept);
		expect([count(retry, 0, 'c'), count(retry, 0, 'd')]).toEqual([1, 2]);
		expect(count(retry, 1, 'e')).toBe(1);
	});
});

const toolOf = (name: string, node = name): InnerTool =>
	({ name, node: { name: node }, ofToolkit: name !== node, tool: { name } }) as InnerTool;
const contextOf = (...rule: object[]) =>
	({
		getNodeParameter: () => ({ rule }),
		getNode: () => ({ id: 'n', name: 'Once', type: 't', parameters: {} }),
	}) as unknown as IExecuteFunctions;

describe('a rule', () => {
	it.each<[string, InnerTool]>([
		['Charge Card', toolOf('Charge_Card', 'Charge Card')],
		['Charge_Card', toolOf('Charge_Card', 'Charge Card')],
		['echo', toolOf('My_Server_echo', 'My Server')],
		['My_Server_echo', toolOf('My_Server_echo', 'My Server')],
		['My Server', toolOf('My_Server_echo', 'My Server')],
	])('may call the tool "%s"', (tool, inner) => {
		const context = contextOf({ tool, calls: 'repeatable', keyArguments: 'a, b.c' });
		expect(() => refuseIdleRules(context, [inner])).not.toThrow();
		expect(ruleFor(context, inner)).toEqual({
			calls: 'repeatable',
			keyArguments: [['a'], ['b', 'c']],
		});
	});

	it('is not for other tools, and the last of several counts', () => {
		const context = contextOf(
			{ tool: 'Charge', calls: 'repeatable' },
			{ tool: 'Charge', calls: 'readOnly', onInDoubt: 'ask' },
		);
		expect(ruleFor(context, toolOf('Charge'))).toMatchObject({
			calls: 'readOnly',
			onInDoubt: 'ask',
		});
		expect(ruleFor(context, toolOf('Charge2'))).toEqual({ calls: 'once', keyArguments: [] });
	});

	it('without a tool is refused, and so is a gate that its expression does not give', () => {
		const tool = toolOf('Charge');
		expect(() => refuseIdleRules(contextOf({ tool: 'Charg' }), [tool])).toThrow(/"Charg" names no/);
		expect(() => ruleFor(contextOf({ tool: 'Charge', needsGate: true, gateId: '' }), tool)).toThrow(
			/Gate ID gives nothing/,
		);
	});
});

describe('what the model is told', () => {
	const stopped = (kind: StopKind) =>
		new StepStopped({ kind, step: 's', key: 'k', attempt: 1, origin: 'http://j' });
	const refused = (code: string, retryable: boolean) =>
		new JournalError({ code: code as JournalError['code'], origin: 'http://j', retryable });

	it.each<[string, unknown, RegExp]>([
		['a doubt', stopped('in_doubt'), /^IN DOUBT: .*Do not try it again/],
		[
			'an outcome that was not recorded',
			refused('unreachable', true).about('s', true),
			/^IN DOUBT/,
		],
		['a wait', stopped('waiting_retry'), /^NOT DONE: .*Do not try it again in this conversation/],
		['a journal that is away', refused('unreachable', true), /^NOT DONE/],
		['a failure', stopped('failed'), /^REFUSED: the same call will be refused again/],
		['a gate that is not approved', refused('gate_not_approved', false), /^REFUSED/],
		['a slip of its own', new Error('x'), /^the sentence$/],
	])('of %s', (_what, error, words) => {
		const said = wordsForModel(error, 'the sentence');
		expect(said).toMatch(words);
		expect(said).toContain('the sentence');
	});
});
