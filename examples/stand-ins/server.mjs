/**
 * Local stand-ins for an ERP, invoicing, mail, a CRM and a language model. They count what really
 * happened. For trying things out on this machine: no accounts, no costs, no authentication.
 *
 *   GET  /          the page          GET /counts     the same as JSON      POST /reset
 *   POST /hold      { path, ref?, contains?, when?: "before"|"after", count? }     GET /held
 *   POST /release   { path?, ref? }
 *   POST /fail      { path, ref?, contains?, status: number|"reset", headers?, body?, when?, count? }
 *
 * Started with `node server.mjs`; the port comes from STAND_INS_PORT (5700).
 */
import { createServer } from 'node:http';
import { createHash } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { receiverFor } from './business.mjs';
import { createInterference } from './interference.mjs';
import { createLedger, MODEL_CALL_USD } from './ledger.mjs';
import { MODEL_PATHS, models, promptOf, sendModelAnswer } from './model.mjs';
import { page } from './page.mjs';

const BODY_LIMIT = 32 * 1024 * 1024;

async function bodyOf(request) {
	const chunks = [];
	let size = 0;
	for await (const chunk of request) {
		size += chunk.length;
		if (size > BODY_LIMIT) throw Object.assign(new Error('too large'), { status: 413 });
		chunks.push(chunk);
	}
	const text = Buffer.concat(chunks).toString('utf8');
	if (!text) return { text, body: {} };
	try {
		return { text, body: JSON.parse(text) };
	} catch {
		throw Object.assign(new Error('not JSON'), { status: 400 });
	}
}

/** The order a call belongs to: from the body, the query, the prompt ("Order A-1") or the path. */
const refOf = (url, body, prompt) =>
	String(
		body.orderId ??
			body.ref ??
			url.searchParams.get('ref') ??
			(prompt === undefined ? undefined : (/\border:? ([\w-]+)/i.exec(prompt)?.[1] ?? 'none')) ??
			url.pathname.split('/').at(-1),
	);

/** A server that is not listening yet. */
export function createStandIns() {
	const ledger = createLedger();
	const interference = createInterference();
	/** Idempotency key → hash of its body and the answer it got. */
	let remembered = new Map();

	const hooks = {
		'GET /counts': () => ledger.counts(),
		'GET /held': () => interference.held(),
		'GET /v1/models': () => models(),
		'POST /hold': (wish) => interference.hold(wish),
		'POST /fail': (wish) => interference.fail(wish),
		'POST /release': (wish) => interference.release(wish),
		'POST /reset': () => {
			ledger.reset();
			interference.reset();
			remembered = new Map();
			return {};
		},
	};

	/** Carries out one call: hold, fail, count, answer. `effect` and `send` differ by receiver. */
	async function carryOut(call, response, effect, send) {
		const suffers = (when) => {
			const failure = interference.failureFor(call, when);
			if (!failure) return false;
			if (failure.status === 'reset') response.destroy();
			else {
				const body = failure.body ?? { error: { message: 'scripted failure' } };
				response.writeHead(failure.status, {
					'content-type': 'application/json',
					...failure.headers,
				});
				response.end(typeof body === 'string' ? body : JSON.stringify(body));
			}
			return true;
		};
		if (!(await interference.passes(call, 'before', response)) || suffers('before')) return;
		const answer = effect();
		if (!(await interference.passes(call, 'after', response)) || suffers('after')) return;
		send(answer);
	}

	async function handle(request, response) {
		const json = (status, value, headers = {}) => {
			response.writeHead(status, { 'content-type': 'application/json', ...headers });
			response.end(JSON.stringify(value));
		};
		const url = new URL(request.url, 'http://stand-ins');
		const path = url.pathname;
		if (request.method === 'GET' && path === '/') {
			response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
			return response.end(page);
		}
		const { text, body } = await bodyOf(request);
		const hook = hooks[`${request.method} ${path}`];
		if (hook) return json(200, hook(body));

		ledger.recordRequest();
		if (request.method === 'POST' && MODEL_PATHS[path]) {
			const prompt = promptOf(body);
			const call = { method: 'POST', path, text, body, ref: refOf(url, body, prompt.text) };
			return carryOut(
				call,
				response,
				() =>
					ledger.record({
						kind: 'model',
						path,
						ref: call.ref,
						label: `${prompt.hash} ${prompt.asked}`,
						costUsd: MODEL_CALL_USD,
					}),
				() => sendModelAnswer(path, body, response, json),
			);
		}

		const call = { method: request.method, path, text, body, ref: refOf(url, body) };
		const found = receiverFor(call);
		if (!found) return json(404, { error: { message: `Nobody serves ${request.method} ${path}` } });
		const { receiver, honoursKey } = found;
		const key = request.headers['idempotency-key'];
		if (honoursKey && !key)
			return json(400, { error: { message: 'An Idempotency-Key header is needed here' } });
		const hash = createHash('sha256').update(text).digest('hex');
		return carryOut(
			call,
			response,
			() => {
				const known = honoursKey ? remembered.get(`${path} ${key}`) : undefined;
				if (known) {
					ledger.recordReplay();
					if (known.hash !== hash)
						return { status: 422, value: { error: { message: 'The same key, another body' } } };
					return { ...known, headers: { 'idempotent-replayed': 'true' } };
				}
				const { kind, label, status } = receiver;
				const answer = { status, value: receiver.answer(), hash };
				ledger.record({ kind, path, ref: call.ref, label });
				if (honoursKey) remembered.set(`${path} ${key}`, answer);
				return answer;
			},
			({ status, value, headers }) => json(status, value, headers),
		);
	}

	return createServer((request, response) => {
		handle(request, response).catch((error) => {
			if (response.destroyed || response.headersSent) return response.destroy();
			response.writeHead(error.status ?? 500, { 'content-type': 'application/json' });
			response.end(JSON.stringify({ error: { message: error.message } }));
		});
	});
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
	const port = Number(process.env.STAND_INS_PORT || 5700);
	const server = createStandIns();
	server.on('error', (error) => {
		console.error(`The stand-ins cannot listen on port ${port}: ${error.code}`);
		process.exit(1);
	});
	server.listen(port, process.env.STAND_INS_HOST || '127.0.0.1', () =>
		console.log(`Stand-ins on http://127.0.0.1:${port}`),
	);
	for (const signal of ['SIGINT', 'SIGTERM'])
		process.on(signal, () => {
			server.close(() => process.exit(0));
			server.closeAllConnections();
		});
}
