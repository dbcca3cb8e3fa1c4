import type { Dialect } from './dialect';

/** The newest step under each guard: at most one effect for a business key, whatever run asks. */
export const guards = ({ int, id }: Dialect): string => `
CREATE TABLE guards (
	id ${id},
	namespace TEXT NOT NULL,
	guard_sha256 TEXT NOT NULL,
	run_ref ${int} NOT NULL,
	step_key TEXT NOT NULL,
	UNIQUE (namespace, guard_sha256)
);
CREATE INDEX guards_by_run ON guards (run_ref);
`;
