/** A disk that fills up under load: clear refusals, nothing lost, replays go on, and work goes on when there is room. */
import { waitUntil } from '../wait-until';
import { Campaign } from './campaign';
import { sqliteCrashStore } from './crash-store';
import { canMount, mountSmallDisk, type SmallDisk } from './small-disk';

jest.setTimeout(120_000);

const MEGABYTES = 192;

(canMount ? describe : describe.skip)('needs root on Linux', () => {
	let disk: SmallDisk;
	let campaign: Campaign;
	beforeAll(async () => {
		disk = mountSmallDisk(MEGABYTES);
		campaign = await Campaign.on(sqliteCrashStore(disk.folder));
	});
	afterAll(async () => {
		await campaign?.close();
		disk?.remove();
	});

	test.each([1, 2])('filled under load, time %i', async () => {
		const refused = await campaign.disturbUnderLoad(async (refusals) => {
			const [journal] = campaign.journals;
			const claim = { runId: 'before', step: 's', input: 1, claimId: 'one' };
			const { body } = await journal!.request('POST', '/v1/steps/claim', claim);
			const complete = { fencingToken: body.fencingToken ?? 1, result: 'known' };
			await journal!.request('POST', `/v1/steps/${body.key}/complete`, complete);
			disk.fill();
			await waitUntil('callers to be refused', () => refusals() > 50);
			const replay = await journal!.request('POST', '/v1/steps/claim', claim);
			expect(replay).toMatchObject({ status: 200, body: { outcome: 'replay', result: 'known' } });
			disk.free();
		});
		expect(refused).toBeGreaterThan(50);
	});

	test('after it, everything that was ever answered is still so, without a restart and after one', async () => {
		expect(campaign.journals[0]!.isDead).toBe(false);
		await campaign.verifyAll();
		expect(campaign.figures.checks).toBeGreaterThan(100);
	});
});
