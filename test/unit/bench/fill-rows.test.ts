import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SqliteDatabase } from '../../../service/store/sqlite/sqlite-database';
import { expectFilled } from '../../bench/expect-filled';

test('steps that the bench fills in are found in SQLite', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'durable-fill-'));
	const file = join(folder, 'journal.db');
	try {
		await expectFilled('sqlite', `sqlite:${file}`, async () => new SqliteDatabase(file, () => 1));
	} finally {
		rmSync(folder, { recursive: true });
	}
});
