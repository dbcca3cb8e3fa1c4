import { migrations } from '.';

/** @throws when the database was written by a newer journal */
export function refuseNewerSchema(version: number): void {
	if (version > migrations.length)
		throw new Error(
			`The database has schema version ${version}, this journal knows ${migrations.length}: start the newer journal, or restore a backup.`,
		);
}
