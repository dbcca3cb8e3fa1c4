import { PostgresDatabase } from '../../service/store/postgres/postgres-database';
import { expectFilled } from '../bench/expect-filled';
import { createDatabase } from '../store-under-test';

test('steps that the bench fills in are found in PostgreSQL', async () => {
	const { url, drop } = await createDatabase();
	try {
		await expectFilled('postgres', url, async () => await PostgresDatabase.open(url));
	} finally {
		await drop();
	}
});
