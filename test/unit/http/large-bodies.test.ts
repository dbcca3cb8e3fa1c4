/** Bodies over 256 KiB take another way to the store and back; nobody may tell from the answers. */
import { request } from 'node:http';
import type { Database } from '../../../service/store/database';
import {
	ABANDONED_AFTER_MS,
	removeAbandonedDeposits,
} from '../../../service/journal/remove-abandoned-deposits';
import { API_KEY, openApi, type Api } from '../../api';

let api: Api;
beforeEach(async () => {
	api = await openApi();
});
afterEach(async () => await api.close());

const MB = 1024 * 1024;
/** Real data of at least that many bytes: names, numbers, characters of every length in UTF-8. */
function rows(bytes: number): unknown[] {
	const all: unknown[] = [];
	for (let size = 2; size < bytes;) {
		const row = {
			id: all.length,
			paid: all.length / 4,
			name: 'Zoë €😀',
			'/~': [null, 'x'.repeat(900)],
		};
		all.push(row);
		size += Buffer.byteLength(JSON.stringify(row)) + 1;
	}
	return all;
}
const claim = async (input: unknown, members: object = {}) =>
	await api.post('/v1/steps/claim', { runId: 'r', step: 's', input, ...members });
const complete = async (key: string, result: unknown) =>
	await api.post(`/v1/steps/${key}/complete`, { fencingToken: 1, result });
const count = async (table: string): Promise<number> =>
	await api.journal.database.read(
		async (queries) => (await queries.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`))!.n,
	);

describe.each([
	['5 MB', 5 * MB],
	['15.9 MB', 15.8 * MB],
])('%s', (_name, size) => {
	test('input and result come back exactly, by replay and by reading', async () => {
		const value = rows(size);
		const { body: first } = await claim(value);
		expect(first.outcome).toBe('execute');
		expect((await complete(first.key, value)).body).toEqual({ state: 'completed' });
		const replay = await claim(value);
		expect(replay.body).toMatchObject({ outcome: 'replay', key: first.key, attempt: 1 });
		expect(JSON.stringify(replay.body.result) === JSON.stringify(value)).toBe(true);
		const { body: step } = await api.call('GET', `/v1/steps/${first.key}`);
		expect(JSON.stringify(step.input) === JSON.stringify(value)).toBe(true);
		expect(JSON.stringify(step.result) === JSON.stringify(value)).toBe(true);
	});
});

const LARGE = rows(400_000);

test('the key is the same whichever way the body came, and whatever its white space', async () => {
	const { body: first } = await claim({ b: LARGE, a: 1 });
	const spaced = `{"runId":"r","step":"s","input":${JSON.stringify({ a: 1, b: LARGE }, null, 3)}}`;
	const again = await api.post('/v1/steps/claim', spaced);
	expect(again).toMatchObject({ status: 409, body: { code: 'step_in_progress', key: first.key } });
});

test('the same complete again is harmless, also with members in another order; another one is refused', async () => {
	const { key } = (await claim(1)).body;
	await complete(key, { a: 1, large: LARGE });
	expect((await complete(key, { a: 1, large: LARGE })).body).toEqual({ state: 'completed' });
	expect((await complete(key, { large: LARGE, a: 1 })).body).toEqual({ state: 'completed' });
	expect((await complete(key, { a: 2, large: LARGE })).body.code).toBe('result_conflict');
	expect((await complete(key, 'small')).body.code).toBe('result_conflict');
});

test('what changed in a large input is named', async () => {
	await claim({ at: 1, large: LARGE }, { slot: 'w/n#0.0' });
	const answer = await claim({ at: 2, large: LARGE }, { slot: 'w/n#0.0' });
	expect(answer.body).toMatchObject({ code: 'step_unsettled', changed: ['/at'] });
	await claim({ at: 1, large: LARGE }, { step: 'o', idempotencyKey: 'k' });
	const reused = await claim({ at: 2, large: LARGE }, { step: 'o', idempotencyKey: 'k' });
	expect(reused.body).toMatchObject({ code: 'idempotency_key_reused', changed: ['/at'] });
});

test('many: large and small items side by side, replayed in their order', async () => {
	const steps = [LARGE, 'small', { large: LARGE }].map((input, index) => ({
		runId: 'r',
		step: `s${index}`,
		input,
	}));
	const { results } = (await api.post('/v1/steps/claim-many', { steps })).body;
	const done = results.map(({ body }: { body: { key: string } }, index: number) => ({
		key: body.key,
		fencingToken: 1,
		result: steps[index]!.input,
	}));
	const completed = await api.post('/v1/steps/complete-many', { steps: done });
	expect(completed.body.results).toEqual(
		Array(3).fill({ status: 200, body: { state: 'completed' } }),
	);
	const replays = (await api.post('/v1/steps/claim-many', { steps })).body.results;
	expect(replays.map(({ body }: { body: { result: unknown } }) => body.result)).toEqual(
		steps.map(({ input }) => input),
	);
});

test('a large result that a person enters is kept', async () => {
	const { key } = (await claim(1)).body;
	await api.post(`/v1/steps/${key}/fail`, {
		fencingToken: 1,
		error: { message: 'm' },
		verdict: 'in_doubt',
	});
	const members = { as: 'completed', result: LARGE, reason: 'looked', by: 'ops' };
	expect((await api.admin('POST', `/v1/steps/${key}/resolve`, members)).status).toBe(200);
	expect((await claim(1)).body.result).toEqual(LARGE);
});

/** JSON text that is put somewhere into a body, and what makes the body large. */
const PAD = `"${'x'.repeat(300_000)}"`;
const CLAIM = (input: string, members = '') =>
	`{"runId":"r","step":"s","input":${input}${members}}`;

test.each([
	['no JSON', (pad) => `${CLAIM(pad)}}`],
	['cut off', (pad) => CLAIM(pad).slice(0, -1)],
	['no object: a text', (pad) => pad],
	['no object: a list', (pad) => `[${pad}]`],
	['nested too deep', (pad) => CLAIM(`[${'['.repeat(600)}${']'.repeat(600)},${pad}]`)],
	['a member of a wrong type', (pad) => CLAIM(pad).replace('"r"', '5')],
	['a text that is too short', (pad) => CLAIM(pad).replace('"r"', '""')],
	['an unknown member', (pad) => CLAIM(pad, ',"unknown":1')],
	['an unknown member that is the large one', (pad) => CLAIM('1', `,"unknown":${pad}`)],
	['a missing member', (pad) => `{"runId":"r","input":${pad}}`],
	['a result in place of the input', (pad) => `{"runId":"r","step":"s","result":${pad}}`],
	['numbers that cannot be hashed', (pad) => CLAIM(`[${pad},9007199254740993,{"a/b":1e400}]`)],
	['a lone surrogate', (pad) => CLAIM(`{"\\ud800":${pad}}`)],
	['an unknown member within its retry', (pad) => CLAIM(pad, ',"retry":{"times":3}')],
] satisfies Array<[string, (pad: string) => string]>)(
	'%s: a large body gets the same problem as a small one',
	async (_name, bodyOf) => {
		const small = await api.post('/v1/steps/claim', bodyOf('"x"'));
		const large = await api.post('/v1/steps/claim', bodyOf(PAD));
		expect(small.status).toBe(400);
		expect({ status: large.status, body: large.body }).toEqual({
			status: small.status,
			body: small.body,
		});
	},
);

test('of many, an item that does not match the contract fails alone, as in a small body', async () => {
	const bodyOf = (pad: string) =>
		`{"steps":[${CLAIM(pad)},${CLAIM(pad, ',"unknown":1')},5,${CLAIM(`[9007199254740993,${pad}]`)}]}`;
	const small = await api.post('/v1/steps/claim-many', bodyOf('"x"'));
	const large = await api.post('/v1/steps/claim-many', bodyOf(PAD));
	const refusals = (answer: typeof small) => answer.body.results.slice(1);
	expect(refusals(small).map(({ status }: { status: number }) => status)).toEqual([400, 400, 400]);
	expect(refusals(large)).toEqual(refusals(small));
	expect(large.body.results[0].body.outcome).toBe('execute');
});

describe('without a content-length', () => {
	async function stream(pieces: string[]): Promise<{ status: number; body: any }> {
		const { port } = new URL(await api.server.listen({ host: '127.0.0.1', port: 0 }));
		return await new Promise((resolve, reject) => {
			const outgoing = request({
				port,
				path: '/v1/steps/claim',
				method: 'POST',
				agent: false,
				headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
			});
			outgoing.on('error', reject);
			outgoing.on('response', (answer) => {
				let text = '';
				answer.setEncoding('utf8').on('data', (chunk) => (text += chunk));
				answer.on('end', () => resolve({ status: answer.statusCode!, body: JSON.parse(text) }));
			});
			for (const piece of pieces) outgoing.write(piece);
			outgoing.end();
		});
	}

	test.each([
		['small', 10],
		['large', 100_000],
	])('a %s body is taken', async (_name, length) => {
		const pieces = [
			'{"runId":"r","step":"s","input":"',
			...Array(10).fill('ä'.repeat(length)),
			'"}',
		];
		expect((await stream(pieces)).body.outcome).toBe('execute');
	});

	test('one over 16 MiB is refused', async () => {
		const pieces = ['{"runId":"r","step":"s","input":"', ...Array(17).fill('x'.repeat(MB)), '"}'];
		expect(await stream(pieces)).toMatchObject({
			status: 413,
			body: { code: 'payload_too_large' },
		});
	});
});

describe('pieces in the store', () => {
	test('are kept with what refers to them, and with nothing else', async () => {
		const { key } = (await claim(LARGE)).body;
		const ofInput = await count('payload_pieces');
		expect(ofInput).toBeGreaterThan(4);
		await claim(LARGE);
		await complete('0'.repeat(64), LARGE);
		await api.post(`/v1/steps/${key}/complete`, { fencingToken: 7, result: LARGE });
		expect(await count('payload_pieces')).toBe(ofInput);
		await complete(key, LARGE);
		expect(await count('payload_pieces')).toBe(2 * ofInput);
		await complete(key, LARGE);
		await claim(LARGE);
		expect(await count('payload_pieces')).toBe(2 * ofInput);
	});

	test.each([
		['input', 0],
		['input', 1],
		['result', 5],
	])(
		'a death within an %s after %i of them leaves nothing that can be seen, and what is left is removed',
		async (which, written) => {
			const { database } = api.journal;
			const { key } = (await claim(1)).body;
			const death = new Promise<void>((die) => {
				let left = written;
				const writeAhead: Database['writeAhead'] = async (work) => {
					if (left-- > 0) return await database.writeAhead(work);
					die();
					return await new Promise<never>(() => {});
				};
				Object.assign(api.journal, { database: { ...bound(database), writeAhead } });
			});
			void (which === 'input' ? claim(LARGE, { runId: 'other' }) : complete(key, LARGE));
			await death;
			Object.assign(api.journal, { database });

			const { body: step } = await api.call('GET', `/v1/steps/${key}`);
			expect([step.state, step.result]).toEqual(['claimed', undefined]);
			expect((await api.call('GET', '/v1/runs/other')).status).toBe(404);
			expect(await count('payload_pieces')).toBe(written);
			api.clock.advance(ABANDONED_AFTER_MS - 1);
			await removeAbandonedDeposits(api.journal);
			expect(await count('payload_pieces')).toBe(written);
			api.clock.advance(1);
			await removeAbandonedDeposits(api.journal);
			expect(await count('payload_pieces')).toBe(0);
			expect(await count('payloads')).toBe(0);
		},
	);
});

/** The methods of a store as an object, so that some can be replaced. */
function bound(database: Database): Database {
	return {
		shared: database.shared,
		now: () => database.now(),
		read: async (work) => await database.read(work),
		write: async (about, work) => await database.write(about, work),
		writeAhead: async (work) => await database.writeAhead(work),
		close: async () => await database.close(),
	};
}
