/** PostgreSQL stops under the load of two journals, in order and as in a crash, and comes back: they go on by themselves. */
import { startPostgres } from '../../tools/postgres-server.mjs';
import { Campaign } from '../crash/campaign';
import { postgresStoreAt } from '../crash/crash-store';
import type { KillableJournal } from '../crash/killable-journal';
import { waitUntil } from '../wait-until';

jest.setTimeout(120_000);

let server: Awaited<ReturnType<typeof startPostgres>>;
let campaign: Campaign;
beforeAll(async () => {
	server = await startPostgres();
	const url = server.createDatabase('restarted');
	campaign = await Campaign.on(postgresStoreAt(url, async () => {}));
});
afterAll(async () => {
	await campaign?.close();
	await server?.stop();
});

async function restart(signal: NodeJS.Signals, refused: () => number): Promise<void> {
	await server.end(signal);
	await waitUntil('callers to be refused', () => refused() > 20);
	for (const journal of campaign.journals) {
		expect((await journal.request('GET', '/healthz')).status).toBe(200);
		expect((await journal.request('GET', '/readyz')).status).toBe(503);
	}
	await server.start();
}

test.each(['SIGQUIT', 'SIGINT', 'SIGQUIT'] as const)('stopped by %s', async (signal) => {
	const refused = await campaign.disturbUnderLoad(async (refusals) => {
		await restart(signal, refusals);
	});
	expect(refused).toBeGreaterThan(20);
});

test(
	'who waits at one journal hears of the other’s work again',
	async () => {
		const [first, second] = campaign.journals as [KillableJournal, KillableJournal];
		const claim = { runId: 'heard', step: 's', input: null };
		const { body } = await second.request('POST', '/v1/steps/claim', claim);
		const waits = first.request('POST', '/v1/steps/claim', { ...claim, waitMs: 30_000 });
		const complete = { fencingToken: body.fencingToken, result: 'told' };
		await second.request('POST', `/v1/steps/${body.key}/complete`, complete);
		expect((await waits).body.outcome).toBe('replay');
	},
	// Less than it waits without a signal.
	20_000,
);

test('after all of it, everything that was ever answered is still so', async () => {
	for (const journal of campaign.journals) expect(journal.isDead).toBe(false);
	await campaign.verifyAll();
	expect(campaign.figures.checks).toBeGreaterThan(100);
});
