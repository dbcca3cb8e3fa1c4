/**
 * `kill -9` at named points around every commit. What was answered is there; what was not is there
 * wholly or not at all, and asking again settles it.
 */
import { seededRandom } from '../seeded-random';
import { Campaign } from './campaign';
import { sqliteCrashStore } from './crash-store';
import { killAt, SQLITE_POINTS } from './kills';

jest.setTimeout(120_000);

const random = seededRandom(3);

describe('under load', () => {
	let campaign: Campaign;
	beforeAll(async () => {
		campaign = await Campaign.on(sqliteCrashStore());
	});
	afterAll(async () => await campaign?.close());

	test.each([...SQLITE_POINTS, ...SQLITE_POINTS])('killed at %s', async (point) => {
		const kills = () => campaign.figures.killsByPoint[point] ?? 0;
		const before = kills();
		await campaign.killUnderLoad(killAt(point, random));
		expect(kills()).toBe(before + 1);
	});

	test('after all of them, everything that was ever answered is still so', async () => {
		await campaign.verifyAll();
		expect(campaign.figures.checks).toBeGreaterThan(100);
	});
});

test.each([
	['migration', 1],
	['migration', 2],
	['migration', 14],
	['start', 1],
	['start', 4],
])('killed while it starts, at %s %i', async (point, passage) => {
	const campaign = await Campaign.on(sqliteCrashStore());
	try {
		await campaign.killAtStart({ point, passage, delay: 0 });
		expect(campaign.figures.unkilled).toBe(0);
	} finally {
		await campaign.close();
	}
});
