/** The rules of Idempotent Tools: what a call is, and when two are the same. */
import fc from 'fast-check';
import type { IExecuteFunctions } from 'n8n-workflow';
import {
	callArguments,
	declaredArguments,
	wrongArguments,
} from '../../../nodes/IdempotentTools/call-arguments';
import type { InnerTool } from '../../../nodes/IdempotentTools/inner-tools';
import { itemReads, valuesRead } from '../../../nodes/IdempotentTools/item-reads';
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
/** A schema without members of its own. */
const behind = (def: object) => ({ safeParse: () => ({ success: true }), _def: def });
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
			zodLike([], { catchall: { _def: { type: 'unknown' } } }),
			{ amount: 5, secret: ITEM.secret },
		],
		[
			'JSON Schema that takes any',
			jsonSchema({ additionalProperties: true }),
			{ amount: 5, secret: ITEM.secret },
		],
		[
			'Zod 3 with a rest of any kind, as n8n makes it of a JSON Schema',
			zodLike(['amount'], { unknownKeys: 'strip', catchall: { _def: { typeName: 'ZodAny' } } }),
			{ amount: 5, secret: ITEM.secret },
		],
		[
			'Zod 3 without a rest',
			zodLike(['amount'], { unknownKeys: 'strip', catchall: { _def: { typeName: 'ZodNever' } } }),
			{ amount: 5 },
		],
		['Zod 3 behind a transformation', behind({ schema: zodLike(['amount']) }), { amount: 5 }],
		['Zod 4 behind a transformation', behind({ in: zodLike(['amount']) }), { amount: 5 }],
		[
			'an intersection',
			behind({ left: zodLike(['amount']), right: zodLike(['note']) }),
			{ amount: 5 },
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

	it('do not tell whether something was replayed, where a tool takes any', () => {
		const durable = { run: 'r', key: 'k', replayed: true };
		const item = { ...ITEM, order: { id: 1, durable }, durable };
		expect(callArguments({ name: 'Charge' }, item)).toEqual({
			amount: 5,
			secret: ITEM.secret,
			order: { id: 1 },
		});
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
	const AGENT = { agent: 'Agent', round: 0 };

	it('is the same in whatever order the model wrote it, and another with another argument', () => {
		const { context } = executionOf('1');
		const object = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 5 });
		fc.assert(
			fc.property(object, fc.uuid(), fc.uuid(), (args, first, second) => {
				fc.pre(first !== second);
				const reversed = Object.fromEntries(Object.entries(args).reverse());
				const before = countSameCall(context, AGENT, args, first);
				expect(countSameCall(context, AGENT, reversed, second)).toBe(before + 1);
			}),
		);
		expect(countSameCall(context, AGENT, { amount: 1.5 }, 'a')).toBe(1);
		expect(countSameCall(context, AGENT, { amount: '1.5' }, 'b')).toBe(1);
	});

	const count = ({ context }: ReturnType<typeof executionOf>, place: typeof AGENT, id: string) =>
		countSameCall(context, place, { amount: 5 }, id);

	it('keeps its number when n8n comes back with the answer, and goes on with the conversation in a retry', () => {
		const first = executionOf('1');
		expect(['a', 'b', 'a'].map((id) => count(first, AGENT, id))).toEqual([1, 2, 1]);
		expect(count(executionOf('2', first.kept), AGENT, 'c')).toBe(3);
		// Where the agent begins anew, n8n has kept nothing.
		expect(count(executionOf('3'), AGENT, 'd')).toBe(1);
	});

	it('is counted for each agent and each of its runs, also where they take turns', () => {
		const execution = executionOf('1');
		const clerk = { agent: 'Clerk', round: 0 };
		const later = { agent: 'Agent', round: 1 };
		expect(
			[AGENT, clerk, later, AGENT, clerk].map((place, at) => count(execution, place, `id-${at}`)),
		).toEqual([1, 1, 1, 2, 2]);
	});
});

describe('what a tool reads of the agent’s item', () => {
	const item = {
		email: 'a@example.com',
		body: { order: { id: 7, lines: [{ sku: 'x' }] } },
		'two words': 2,
		idempotencyKey: 'k',
		toolCallId: 'call_1',
		durable: { run: 'r', key: 'k', replayed: true },
	};
	const read = (...texts: string[]) => valuesRead(itemReads({ deep: [{ texts }] }), item);

	it.each<[string, object | undefined]>([
		['={{ $fromAI("text") }}', undefined],
		['={{ $json.idempotencyKey }} {{ $json.runId }} {{ $json.toolCallId }}', undefined],
		['={{ $json.email }}', { email: item.email }],
		['={{ $json["two words"] + $json.email }}', { 'two words': 2, email: item.email }],
		['={{ $json.body?.order.id }}', { 'body.order.id': 7 }],
		['={{ $json.body.order.lines[0].sku }}', { 'body.order.lines.0.sku': 'x' }],
		[
			'={{ $json.body.order.lines.map((line) => line.sku) }}',
			{ 'body.order.lines': item.body.order.lines },
		],
		['={{ $json.body.order.lines.length }}', { 'body.order.lines.length': 1 }],
		['={{ $json.note ?? "" }}', {}],
	])('%s', (text, values) => {
		expect(read(text)).toEqual(values);
	});

	it.each([
		'={{ JSON.stringify($json) }}',
		'={{ $input.item.json.email }}',
		'return $json;',
		'={{ $json.toJsonString() }}',
	])('is all of it where it may be: %s', (text) => {
		expect(read(text)).toEqual({ email: item.email, body: item.body, 'two words': 2 });
	});

	it.each([
		['={{ $("Loop").first().json.id }}', true],
		['={{ $node["Loop"].json.id }}', true],
		['={{ $json.email }}', false],
		['costs $(5)', true],
	])('may be that of another node: %s', (text, otherNodes) => {
		expect(itemReads([text]).otherNodes).toBe(otherNodes);
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
		['a wait', stopped('waiting_retry'), /^NOT YET: .*Do not try it again.*started again/],
		['a journal that is away', refused('unreachable', true), /^NOT YET/],
		['a failure', stopped('failed'), /^REFUSED: this call did not succeed/],
		['a step that somebody else settled', stopped('overtaken'), /^IN DOUBT: this call was made/],
		['a result that was too large', stopped('result_omitted'), /^DONE: this call had its effect/],
		['another holder', refused('step_in_progress', true), /^UNDER WAY/],
		['a gate that is not approved', refused('gate_not_approved', false), /^REFUSED/],
		['a slip of its own', new Error('x'), /^the sentence$/],
	])('of %s', (_what, error, words) => {
		const said = wordsForModel(error, 'the sentence');
		expect(said).toMatch(words);
		expect(said).toContain('the sentence');
	});
});
