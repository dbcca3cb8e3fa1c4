/** A language model that speaks OpenAI's API and never says the same twice, as real ones do. */
import { createHash } from 'node:crypto';

const MODEL = 'stand-in-model';
const USAGE = { input: 800, output: 200 };
let answers = 0;

const textOf = (content) =>
	typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('\n');

/**
 * The messages of a chat or responses request as one text, its hash (the same prompt, the same hash), and
 * the first line of what the person asked.
 */
export function promptOf(body) {
	const messages =
		body.messages ?? (Array.isArray(body.input) ? body.input : [{ content: body.input }]);
	const texts = messages.map((message) => textOf(message.content));
	const text = [body.instructions ?? '', ...texts].join('\n');
	return {
		text,
		hash: createHash('sha256').update(text).digest('hex').slice(0, 12),
		asked: (texts.at(-1) ?? '').split('\n')[0].slice(0, 80),
	};
}

const SUBJECTS = [
	[/research/i, 'Founded in 2011, 45 employees, files its accounts in time; no open insolvency.'],
	[/contract/i, 'Service contract: twelve months, payment within 14 days, notice of one month.'],
	[/summar/i, 'New customer: contract signed, invoice issued, welcome mail sent.'],
];

function answerTo(prompt) {
	const [, text] = SUBJECTS.find(([subject]) => subject.test(prompt)) ?? [null, 'Understood.'];
	return `${text} (answer ${++answers})`;
}

/** Answer of `GET /v1/models`. */
export const models = () => ({
	object: 'list',
	data: ['gpt-4o-mini', MODEL].map((id) => ({ id, object: 'model', owned_by: 'stand-ins' })),
});

const now = () => Math.floor(Date.now() / 1000);

function chatCompletion(body, text, response, json) {
	const id = `chatcmpl-${answers}`;
	const usage = {
		prompt_tokens: USAGE.input,
		completion_tokens: USAGE.output,
		total_tokens: USAGE.input + USAGE.output,
	};
	const model = body.model ?? MODEL;
	if (!body.stream) {
		const message = { role: 'assistant', content: text };
		const choices = [{ index: 0, message, finish_reason: 'stop' }];
		return json(200, { id, object: 'chat.completion', created: now(), model, choices, usage });
	}
	const chunk = (choices, more = {}) =>
		response.write(
			`data: ${JSON.stringify({ id, object: 'chat.completion.chunk', created: now(), model, choices, ...more })}\n\n`,
		);
	response.writeHead(200, { 'content-type': 'text/event-stream' });
	for (const word of text.split(/(?<= )/))
		chunk([{ index: 0, delta: { role: 'assistant', content: word }, finish_reason: null }]);
	chunk([{ index: 0, delta: {}, finish_reason: 'stop' }]);
	chunk([], { usage });
	response.end('data: [DONE]\n\n');
}

function modelResponse(body, text, response, json) {
	const item = {
		type: 'message',
		id: `msg_${answers}`,
		role: 'assistant',
		status: 'completed',
		content: [{ type: 'output_text', text, annotations: [] }],
	};
	const whole = {
		id: `resp_${answers}`,
		object: 'response',
		created_at: now(),
		status: 'completed',
		model: body.model ?? MODEL,
		output: [item],
		usage: {
			input_tokens: USAGE.input,
			output_tokens: USAGE.output,
			total_tokens: USAGE.input + USAGE.output,
			input_tokens_details: { cached_tokens: 0 },
			output_tokens_details: { reasoning_tokens: 0 },
		},
		error: null,
		incomplete_details: null,
	};
	if (!body.stream) return json(200, whole);
	let sequence = 0;
	const event = (type, members) =>
		response.write(
			`event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence++, ...members })}\n\n`,
		);
	const place = { output_index: 0, item_id: item.id, content_index: 0 };
	response.writeHead(200, { 'content-type': 'text/event-stream' });
	event('response.created', { response: { ...whole, status: 'in_progress', output: [] } });
	event('response.output_item.added', { output_index: 0, item: { ...item, content: [] } });
	for (const word of text.split(/(?<= )/))
		event('response.output_text.delta', { ...place, delta: word });
	event('response.output_text.done', { ...place, text });
	event('response.output_item.done', { output_index: 0, item });
	event('response.completed', { response: whole });
	response.end();
}

/** Answers that cost money, by path. */
export const MODEL_PATHS = {
	'/v1/chat/completions': chatCompletion,
	'/v1/responses': modelResponse,
};

/** Makes a new answer and sends it in the shape this path has. */
export function sendModelAnswer(path, body, response, json) {
	MODEL_PATHS[path](body, answerTo(promptOf(body).text), response, json);
}
