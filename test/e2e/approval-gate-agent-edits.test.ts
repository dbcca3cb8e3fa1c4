/** Calls of an agent that people approve with other arguments, in a real n8n. */
import { httpRequest } from '../http-request';
import { startReceiver, type Receiver } from '../stand-ins/json-receiver';
import { charge } from './company-tools';
import { idempotentTools } from './idempotent-tools-workflow';
import { useReviewScene } from './review-scene';
import { reviewed } from './reviewed-agent-workflow';

jest.setTimeout(240_000);

const scene = useReviewScene();
const { create, start, finished, decideNext, gatesOf, told } = scene;

/** The journal, with what people changed in the decisions of its gates. */
let journal: Receiver;
const edits = { amount: 4 };

beforeAll(async () => {
	journal = await startReceiver(async ({ method, url, headers, body }) => {
		const { authorization } = headers;
		const answer = await httpRequest(
			method,
			scene.journal.baseUrl + url,
			body ? JSON.parse(body) : undefined,
			{ authorization: authorization! },
		);
		const { decision } = answer.body;
		if (method === 'GET' && decision?.decision === 'approve') Object.assign(decision, { edits });
		return { status: answer.status, body: answer.body };
	});
	const { baseUrl } = journal;
	const { apiKey } = scene.journal;
	const journalApi = await scene.n8n.client.createCredential('journalApi', { baseUrl, apiKey });
	const credentials = { ...scene.credentials, journalApi };
	await create('edits', { credentials });
	const between = idempotentTools({ credentials, tools: [] });
	await create('edits-once', { credentials, between });
});
afterAll(async () => await journal?.close());

/** What the tool was given, from what it answered. */
const amounts = (run: string, from = 0) =>
	told(run, from).map((text) => JSON.parse(text)[0].amount as number);

it.each(['edits', 'edits-once'])('reach the tool, also in a retry: %s', async (path) => {
	const plan = [[reviewed(charge(path, 5)), reviewed(charge(`${path}-2`, 6))]];
	const first = await start(path, path, plan);
	await decideNext(path, { decision: 'approve' });
	await decideNext(path, { decision: 'approve' });
	await finished(first);
	expect(amounts(path)).toEqual([4, 4]);

	// The decisions are there: nobody is asked, and nothing waits.
	const from = scene.model.calls.length;
	await finished(await start(path, path, plan));
	expect(amounts(path, from)).toEqual([4, 4]);
	expect(await gatesOf(path)).toHaveLength(2);
});

it('are what the model sees that it called with', async () => {
	const conversation = scene.model.calls.filter(({ title }) => title === 'edits').at(-1)!;
	expect(conversation.toolCalls.map(({ amount }) => amount)).toEqual([4, 4]);
});
