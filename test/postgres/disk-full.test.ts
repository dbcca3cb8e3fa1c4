/** The disk of PostgreSQL fills up under load, which may end the server; with room and a start, work goes on. */
import { startPostgres } from '../../tools/postgres-server.mjs';
import { Campaign } from '../crash/campaign';
import { postgresStoreAt } from '../crash/crash-store';
import { canMount, mountSmallDisk, type SmallDisk } from '../crash/small-disk';
import { waitUntil } from '../wait-until';

jest.setTimeout(120_000);

const MEGABYTES = 320;

(canMount ? describe : describe.skip)('needs root on Linux', () => {
	let disk: SmallDisk;
	let server: Awaited<ReturnType<typeof startPostgres>>;
	let campaign: Campaign;
	beforeAll(async () => {
		disk = mountSmallDisk(MEGABYTES);
		server = await startPostgres({ parent: disk.folder });
		campaign = await Campaign.on(
			postgresStoreAt(server.createDatabase('filled'), async () => await server.stop()),
		);
	});
	afterAll(async () => {
		await campaign?.close();
		disk?.remove();
	});

	test('filled under load', async () => {
		const refused = await campaign.disturbUnderLoad(async (refusals) => {
			disk.fill();
			await waitUntil('callers to be refused', () => refusals() > 20, { timeoutMs: 60_000 });
			disk.free();
			await server.end();
			await server.start();
		});
		expect(refused).toBeGreaterThan(20);
	});

	test('after it, everything that was ever answered is still so', async () => {
		for (const journal of campaign.journals) expect(journal.isDead).toBe(false);
		await campaign.verifyAll();
		expect(campaign.figures.checks).toBeGreaterThan(50);
	});
});
