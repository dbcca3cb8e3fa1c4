import type { INode } from 'n8n-workflow';
import { createJournalClient } from '../../../nodes/shared/journal-client';
import { JournalError } from '../../../nodes/shared/journal-error';
import { toNodeError } from '../../../nodes/shared/node-error';
import { granted, KEY, problem, scriptedJournal, settled, type Reply } from './scripted-journal';

const CLAIM = { runId: 'r', step: 's', input: {} };
const reset = () => Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
const node = { id: 'n', name: 'Node', type: 't', parameters: {} } as unknown as INode;

async function failure(replies: Reply[], credential?: object): Promise<JournalError> {
	const { context } = scriptedJournal(replies, credential);
	const claiming = createJournalClient(context, { patienceMs: 300 }).then((client) =>
		client.claim(CLAIM),
	);
	return await claiming.then(
		() => {
			throw new Error('the claim got through');
		},
		(error: unknown) => error as JournalError,
	);
}

it('sends the key as a bearer token and nothing else that is secret', async () => {
	const { context, requests } = scriptedJournal([granted()]);
	const client = await createJournalClient(context);
	await client.claim({ ...CLAIM, waitMs: 5000 });
	expect(client.origin).toBe('http://127.0.0.1:5690');
	expect(requests[0]).toMatchObject({
		method: 'POST',
		url: 'http://127.0.0.1:5690/v1/steps/claim',
		headers: { authorization: 'Bearer the-key' },
		body: { ...CLAIM, waitMs: 5000, claimId: expect.stringMatching(/^[0-9a-f-]{36}$/) },
		timeout: 15_000,
		disableFollowRedirect: true,
	});
});

it('keeps one claim id over transport retries, and takes a fresh one for the next call', async () => {
	const busy = problem(503, 'store_busy', { retryAfterMs: 1 });
	const { context, requests } = scriptedJournal([reset(), busy, granted()]);
	const client = await createJournalClient(context);
	await client.claim(CLAIM);
	await client.claim(CLAIM);
	const ids = requests.map(({ body }) => (body as { claimId: string }).claimId);
	expect(requests).toHaveLength(4);
	expect(new Set(ids.slice(0, 3)).size).toBe(1);
	expect(ids[3]).not.toBe(ids[0]);
});

it('keeps a path before the API, as behind a proxy', async () => {
	const { context, requests } = scriptedJournal([settled('completed')], {
		baseUrl: 'https://example.com/journal/',
		apiKey: 'k',
	});
	await (await createJournalClient(context)).complete(KEY, { fencingToken: 1, result: null });
	expect(requests[0]!.url).toBe(`https://example.com/journal/v1/steps/${KEY}/complete`);
});

it.each<[string, Reply, string, boolean]>([
	['a wrong key', problem(401, 'unauthorized'), 'unauthorized', false],
	['a doubt', problem(409, 'step_in_doubt', { key: KEY }), 'step_in_doubt', false],
	['a held step', problem(409, 'step_in_progress', { retryAfterMs: 9 }), 'step_in_progress', true],
	['another service', { statusCode: 404, body: '<html>' }, 'not_a_journal', false],
	['a page instead of JSON', { statusCode: 200, body: '<html>' }, 'not_a_journal', false],
	['a redirect', { statusCode: 302, body: '' }, 'not_a_journal', false],
])('does not repeat what repeating cannot help: %s', async (_what, reply, code, retryable) => {
	const { context, requests } = scriptedJournal([reply]);
	const client = await createJournalClient(context);
	await expect(client.claim(CLAIM)).rejects.toMatchObject({ code, retryable });
	expect(requests).toHaveLength(1);
});

it('gives up after its patience', async () => {
	expect(await failure([reset()])).toMatchObject({ code: 'unreachable', retryable: true });
	expect(await failure([{ statusCode: 502, body: 'bad gateway' }])).toMatchObject({
		code: 'unreachable',
		status: 502,
	});
	const busy = problem(503, 'store_busy', { retryAfterMs: 1 });
	expect(await failure([busy])).toMatchObject({ code: 'store_busy', retryable: true });
});

it('does not wait for a journal that says that it is no use', async () => {
	const { context, requests } = scriptedJournal([problem(500, 'store_damaged')]);
	const client = await createJournalClient(context, { patienceMs: 60_000 });
	const damaged = { code: 'store_damaged', retryable: false };
	await expect(client.claim(CLAIM)).rejects.toMatchObject(damaged);
	expect(requests).toHaveLength(1);
});

it('does not wait for an address that n8n itself refuses', async () => {
	const blocked = Object.assign(new Error('blocked'), { name: 'SsrfBlockedIpError' });
	const wrapped = Object.assign(new Error('request failed'), { cause: blocked });
	expect(await failure([wrapped])).toMatchObject({ code: 'blocked', retryable: false });
});

it.each(['', 'localhost:5690', 'ftp://example.com', undefined])(
	'refuses the address %p',
	async (baseUrl) => {
		expect(await failure([granted()], { baseUrl, apiKey: 'k' })).toMatchObject({
			code: 'bad_address',
		});
	},
);

it('tells people what to do, in one sentence without keys', async () => {
	const credential = { baseUrl: 'http://user:hidden@127.0.0.1:5690', apiKey: 'the-secret' };
	const says = async (reply: Reply) => {
		const error = toNodeError(node, await failure([reply], credential), 0);
		expect(`${error.message} ${JSON.stringify(error)}`).not.toMatch(/the-secret|hidden/);
		return error.message;
	};
	expect(await says(problem(401, 'unauthorized'))).toMatch(/Journal API credential/);
	expect(await says(reset())).toMatch(
		/at http:\/\/127\.0\.0\.1:5690 gave no answer for 0 s: start it.*nothing was executed/,
	);
	expect(await says(problem(413, 'payload_too_large'))).toMatch(/nothing was executed/);
	expect(await says(problem(409, 'run_cancelled'))).toBe('detail of run_cancelled');
	expect(
		await says(
			problem(409, 'step_unsettled', { previousKey: KEY, changed: ['/body/at', '/body/id'] }),
		),
	).toMatch(new RegExp(`/body/at, /body/id.*resolve step ${KEY}`));
	expect(
		await says(
			problem(400, 'invalid_request', { errors: [{ pointer: '/runId', detail: 'is long' }] }),
		),
	).toMatch(/correct \/runId is long/);
});
