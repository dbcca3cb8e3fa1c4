/** Claims steps and completes them with results of 5 MB, one after another, while it is asked to. */
import { answerRequests } from './answer-requests.mjs';
import { jsonClient } from './http-client.mjs';
import { measure } from './measure.mjs';

const MEGABYTES = 5;
const [url, headers] = process.argv.slice(2);
const client = jsonClient(url, JSON.parse(headers));

// As n8n has them: a list of items.
const items = Array.from({ length: MEGABYTES * 1_000 }, (_, id) => ({
	json: { id, text: 'x'.repeat(1_000) },
}));
// The token of a first claim is 1; sending the same bytes each time costs this process nothing.
const body = Buffer.from(JSON.stringify({ fencingToken: 1, result: items }));

let written = 0;
answerRequests('ready', ({ seconds }) =>
	measure(1, seconds, async () => {
		const claim = { runId: `large-${written++}`, step: 'large', input: {} };
		const { key } = JSON.parse(await client.post('/v1/steps/claim', claim));
		await client.postText(`/v1/steps/${key}/complete`, body);
	}),
);
