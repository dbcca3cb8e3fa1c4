/** Idempotent Tool Call with On Error "continue (using error output)", in n8n's engine. */
import { startJournal, type Journal } from '../journal-process';
import { runInCore, type CoreRun } from './idempotent-tool-call-core';

let journal: Journal;

beforeAll(async () => {
	journal = await startJournal();
});
afterAll(async () => {
	await journal?.stop();
});

const operations = ['connectedTool', 'httpRequest', 'subWorkflow'];
const causes: Array<[string, (base: CoreRun) => Partial<CoreRun>]> = [
	['an address that is none', () => ({ credential: { baseUrl: 'nowhere', apiKey: 'k' } })],
	[
		'an expression that throws',
		({ parameters }) => ({
			parameters: { ...parameters, runId: '={{ $("Nowhere").item.json.id }}' },
		}),
	],
];

it.each(operations.flatMap((operation) => causes.map((cause) => [operation, ...cause] as const)))(
	'%s, %s: every item goes to the error output, none out as if it had run',
	async (operation, _what, cause) => {
		const calls: unknown[] = [];
		const base: CoreRun = {
			credential: journal,
			parameters: {
				operation,
				runId: 'order-1',
				method: 'POST',
				url: 'http://127.0.0.1:9/',
				workflowId: 'other',
			},
			settings: { onError: 'continueErrorOutput' },
			items: [{ orderId: 'A-1' }, { orderId: 'A-2' }],
			tool: async (item) => {
				calls.push(item);
				return [];
			},
		};
		const { run } = await runInCore({ ...base, ...cause(base) });
		const [succeeded, failed] = run.data.resultData.runData.Call!.at(-1)!.data!.main;
		expect(succeeded).toEqual([]);
		expect(failed!.map(({ json }) => json)).toEqual(
			['A-1', 'A-2'].map((orderId) =>
				expect.objectContaining({ orderId, error: expect.any(String) }),
			),
		);
		expect(calls).toEqual([]);
	},
);

it('a call that fails leaves by the error output with what a workflow can decide by', async () => {
	const { run } = await runInCore({
		credential: journal,
		parameters: {
			operation: 'httpRequest',
			runId: 'order-2',
			method: 'POST',
			url: 'http://127.0.0.1:9/',
		},
		options: { maxAttempts: 1, stepName: 'charge' },
		settings: { onError: 'continueErrorOutput' },
		items: [{ orderId: 'A-1' }],
	});
	const [succeeded, failed] = run.data.resultData.runData.Call!.at(-1)!.data!.main;
	expect(succeeded).toEqual([]);
	expect(failed!.map(({ json }) => json)).toEqual([
		{
			orderId: 'A-1',
			// n8n has a sentence of its own for this, which does not tell what to do.
			error: expect.stringMatching(/^Step "charge" failed.*ECONNREFUSED/),
			details: {
				description: expect.any(String),
				code: 'step_failed',
				verdict: 'terminal',
				step: 'charge',
				key: expect.stringMatching(/^[0-9a-f]{64}$/),
				attempt: 1,
			},
		},
	]);
});
