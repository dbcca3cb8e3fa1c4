import { readAnswer } from '../../../nodes/DurableLlmStep/call-model';
import { costUsd, readPrices } from '../../../nodes/DurableLlmStep/cost';
import { modelIdentity, modelName } from '../../../nodes/DurableLlmStep/model-identity';

const type = '@n8n/n8n-nodes-langchain.lmChatOpenAi';
const noExpressions = (): never => {
	throw new Error('nothing to evaluate');
};
const identity = (parameters: object) =>
	modelIdentity({ type, parameters: parameters as never }, noExpressions);

describe('identity of a model', () => {
	it('is its type and what changes the answer', () => {
		const model = identity({ model: 'gpt-4o-mini', options: { temperature: 0, topP: 0.5 } });
		expect(model).toEqual({
			type,
			parameters: { model: 'gpt-4o-mini', options: { temperature: 0, topP: 0.5 } },
		});
		expect(modelName(model)).toBe('gpt-4o-mini');
	});

	it('does not see how the panel shows or leaves out a value', () => {
		const plain = identity({ model: { __rl: true, mode: 'id', value: 'gpt-4o-mini' } });
		const shown = identity({
			model: {
				__rl: true,
				mode: 'list',
				value: 'gpt-4o-mini',
				cachedResultName: 'GPT-4o mini',
				cachedResultUrl: 'https://example.com',
			},
			notice: '',
			options: {},
		});
		expect(shown).toEqual(plain);
	});

	it('does not see how the model is reached', () => {
		expect(identity({ model: 'm', options: { timeout: 9, maxRetries: 5 } })).toEqual(
			identity({ model: 'm', options: { timeout: 60_000 } }),
		);
	});

	it.each([
		['temperature', { model: 'm', options: { temperature: 1 } }],
		['model', { model: 'n', options: { temperature: 0 } }],
		['a switch', { model: 'm', options: { temperature: 0 }, responsesApiEnabled: false }],
	])('changes with %s', (_, other) => {
		expect(identity(other)).not.toEqual(identity({ model: 'm', options: { temperature: 0 } }));
	});

	it('evaluates expressions for the item', () => {
		const evaluated = modelIdentity(
			{ type, parameters: { model: '={{ $json.model }}', list: ['={{ $json.model }}'] } },
			(expression) => (expression === '{{ $json.model }}' ? 'from-item' : undefined),
		);
		expect(evaluated.parameters).toEqual({ model: 'from-item', list: ['from-item'] });
	});
});

describe('answer of a model', () => {
	it('reads a chat message', () => {
		const answer = readAnswer({
			content: 'fine',
			usage_metadata: { input_tokens: 11, output_tokens: 7, total_tokens: 18 },
			response_metadata: { model_name: 'gpt-4o-mini-2024' },
		});
		expect(answer).toEqual({
			text: 'fine',
			usage: { inputTokens: 11, outputTokens: 7, totalTokens: 18 },
			model: 'gpt-4o-mini-2024',
		});
	});

	it('joins the text parts and leaves out the others', () => {
		const content = [
			{ type: 'reasoning', summary: [] },
			{ type: 'text', text: 'a' },
			'b',
			{ type: 'text', text: 'c' },
		];
		expect(readAnswer({ content }).text).toBe('abc');
	});

	it('reads older token counts, and adds them up', () => {
		const response_metadata = { tokenUsage: { promptTokens: 3, completionTokens: 4 } };
		expect(readAnswer({ content: '', response_metadata }).usage).toEqual({
			inputTokens: 3,
			outputTokens: 4,
			totalTokens: 7,
		});
	});

	it.each([['plain text'], [{ content: 'plain text' }]])('knows no usage of %p', (answer) => {
		expect(readAnswer(answer)).toEqual({
			text: 'plain text',
			usage: { inputTokens: null, outputTokens: null, totalTokens: null },
		});
	});

	it('does not take nonsense for a count', () => {
		const usage_metadata = { input_tokens: -1, output_tokens: 'many', total_tokens: NaN };
		expect(readAnswer({ content: '', usage_metadata }).usage).toEqual({
			inputTokens: null,
			outputTokens: null,
			totalTokens: null,
		});
	});
});

describe('cost', () => {
	const usage = { inputTokens: 11, outputTokens: 7, totalTokens: 18 };

	it('is computed from prices per million tokens', () => {
		expect(costUsd(usage, { inputPrice: 0.15, outputPrice: 0.6 })).toBe(0.00000585);
		expect(costUsd({ ...usage, inputTokens: 2_000_000 }, { inputPrice: 2.5 })).toBe(5);
	});

	it.each([-1, 'cheap', Number.NaN, Number.POSITIVE_INFINITY, {}])(
		'is refused before the call where a price is %p',
		(price) => {
			expect(() => readPrices({ inputPrice: price })).toThrow(/USD per 1M Input Tokens/);
			expect(() => readPrices({ outputPrice: price })).toThrow(/USD per 1M Output Tokens/);
		},
	);

	it('takes prices as text, and empty ones for none', () => {
		expect(readPrices({ inputPrice: '0.15', outputPrice: '' })).toEqual({ inputPrice: 0.15 });
	});

	it('is unknown without prices or counts', () => {
		expect(costUsd(usage, {})).toBeNull();
		expect(costUsd({ ...usage, outputTokens: null }, { inputPrice: 1 })).toBeNull();
	});
});
