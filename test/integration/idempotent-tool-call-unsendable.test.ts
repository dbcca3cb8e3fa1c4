/** Operation HTTP Request with what can never be sent, in n8n's engine: no doubt, and nothing is sent. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startJournal, type Journal } from '../journal-process';
import { runInCore } from './idempotent-tool-call-core';

let journal: Journal;
let sent = 0;
const receiver = createServer((_request, response) => {
	sent += 1;
	response.end('{}');
});

beforeAll(async () => {
	await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
	journal = await startJournal();
});
afterAll(async () => {
	receiver.close();
	await journal?.stop();
});

it.each<[string, Record<string, unknown>, Record<string, unknown>, RegExp]>([
	['header', { headers: { parameters: [{ name: 'X Y', value: '1' }] } }, {}, /failed.*Header name/],
	['negative time-out', {}, { timeoutSeconds: -1 }, /Timeout must be a number of seconds/],
	['endless time-out', {}, { timeoutSeconds: 0 }, /Timeout must be a number of seconds/],
	['time-out that is no number', {}, { timeoutSeconds: 'soon' }, /Timeout must be a number/],
])('%s', async (runId, parameters, options, sentence) => {
	const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
	const { error } = await runInCore({
		credential: journal,
		parameters: { operation: 'httpRequest', runId, method: 'POST', url, ...parameters },
		options,
	});
	expect(error?.message).toMatch(sentence);
	const path = `/v1/runs/${encodeURIComponent(`workflow-1:${runId}`)}`;
	const { body } = await journal.request('GET', path);
	expect(body.steps?.map(({ state }: { state: string }) => state) ?? []).not.toContain('in_doubt');
	expect(sent).toBe(0);
});
