/** `kill -9` of one of two journals that share a server, at named points around every commit. */
import { Campaign } from '../crash/campaign';
import { postgresCrashStore } from '../crash/crash-store';
import { killAt, POINTS } from '../crash/kills';
import { seededRandom } from '../seeded-random';

jest.setTimeout(120_000);

const random = seededRandom(5);

describe('under load', () => {
	let campaign: Campaign;
	beforeAll(async () => {
		campaign = await Campaign.on(await postgresCrashStore());
	});
	afterAll(async () => await campaign?.close());

	test.each(POINTS)('killed at %s', async (point) => {
		await campaign.killUnderLoad(killAt(point, random));
		expect(campaign.figures.killsByPoint[point]).toBe(1);
	});

	test('after all of them, everything that was ever answered is still so', async () => {
		await campaign.verifyAll();
		expect(campaign.figures.checks).toBeGreaterThan(100);
	});
});

test.each([
	['migration', 1],
	['migration', 3],
	['migration', 4],
	['start', 2],
])('killed while it starts, at %s %i', async (point, passage) => {
	const campaign = await Campaign.on(await postgresCrashStore());
	try {
		await campaign.killAtStart({ point, passage, delay: 0 });
		expect(campaign.figures.unkilled).toBe(0);
	} finally {
		await campaign.close();
	}
});
