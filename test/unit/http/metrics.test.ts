import { pino } from 'pino';
import { createServer } from '../../../service/http/server';
import { fakeJournal } from '../../fake-journal';

test('what the retention removed is counted, at the moment of asking', async () => {
	const fake = fakeJournal();
	const retentionCounts = { runsPruned: 0, tombstonesRemoved: 0 };
	const server = await createServer({
		journal: fake.journal,
		keys: { apiKey: 'k', adminKey: 'a' },
		version: '0',
		logger: pino({ level: 'silent' }),
		retentionCounts,
	});
	const metrics = async () => (await server.inject({ method: 'GET', url: '/metrics' })).body;
	expect(await metrics()).toMatch(/^journal_runs_pruned_total 0$/m);
	Object.assign(retentionCounts, { runsPruned: 7, tombstonesRemoved: 3 });
	for (const line of [/^journal_runs_pruned_total 7$/m, /^journal_tombstones_removed_total 3$/m])
		for (let times = 0; times < 2; times++) expect(await metrics()).toMatch(line);
	await server.close();
	await fake.close();
});
