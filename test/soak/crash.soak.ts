/** `kill -9` at named points, thousands of times. */
import { Campaign } from '../crash/campaign';
import { postgresCrashStore, sqliteCrashStore } from '../crash/crash-store';
import { killAt, POINTS, SQLITE_POINTS } from '../crash/kills';
import { seededRandom } from '../seeded-random';
import { onPostgres } from '../store-under-test';
import { rounds, SEED, TEST_TIMEOUT_MS } from './rounds';

const MOST_KILLS = 20_000;
/** Then everything that was ever answered is looked at again, and another store is begun. */
const KILLS_PER_STORE = 100;

test(
	'killed at named points, nothing is lost and nothing is halved',
	async () => {
		const random = seededRandom(SEED);
		const points = onPostgres() ? POINTS : SQLITE_POINTS;
		const totals: Record<string, number> = {};
		let [checks, unkilled] = [0, 0];
		let campaign: Campaign | undefined;
		const end = async () => {
			try {
				await campaign?.verifyAll();
			} finally {
				await campaign?.close();
				for (const [point, kills] of Object.entries(campaign?.figures.killsByPoint ?? {}))
					totals[point] = (totals[point] ?? 0) + kills;
				checks += campaign?.figures.checks ?? 0;
				unkilled += campaign?.figures.unkilled ?? 0;
				campaign = undefined;
			}
		};
		const round = async (index: number) => {
			if (index % KILLS_PER_STORE === 0) await end();
			campaign ??= await Campaign.on(
				onPostgres() ? await postgresCrashStore() : sqliteCrashStore(),
			);
			// A new store is killed while it is made, and an old one now and then while it is opened.
			const point =
				index % KILLS_PER_STORE === 0
					? 'migration'
					: index % 20 === 0
						? 'start'
						: points[index % points.length]!;
			const kill = killAt(point, random);
			await (point === 'migration' || point === 'start'
				? campaign.killAtStart(kill)
				: campaign.killUnderLoad(kill));
		};
		const tell = () => {
			const now = { ...totals };
			for (const [point, kills] of Object.entries(campaign?.figures.killsByPoint ?? {}))
				now[point] = (now[point] ?? 0) + kills;
			const kills = Object.values(now).reduce((sum, count) => sum + count, 0);
			const byPoint = Object.entries(now).map(([point, count]) => `${point} ${count}`);
			return `${kills} kills (${byPoint.join(', ')}), ${unkilled + (campaign?.figures.unkilled ?? 0)} that came too late, ${checks + (campaign?.figures.checks ?? 0)} runs checked`;
		};
		try {
			await rounds('crash', MOST_KILLS, round, tell, end);
		} finally {
			await campaign?.close();
		}
	},
	TEST_TIMEOUT_MS,
);
