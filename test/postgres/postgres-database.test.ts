import { PostgresDatabase } from '../../service/store/postgres/postgres-database';
import { testDatabase } from '../conformance/database';
import { createDatabase } from '../store-under-test';

testDatabase(async () => {
	const { url, drop } = await createDatabase();
	const open = async () => await PostgresDatabase.open(url, { now: () => 1, connections: 5 });
	return { database: await open(), openAnother: open, remove: drop };
});
