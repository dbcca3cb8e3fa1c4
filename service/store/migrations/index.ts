import type { Dialect } from './dialect';
import { initial } from './001-initial';
import { looks } from './002-looks';
import { guards } from './003-guards';
import { escalation } from './004-escalation';

/** Append-only: a migration that was released never changes; its position is the schema version. */
export const migrations: ReadonlyArray<(dialect: Dialect) => string> = [
	initial,
	looks,
	guards,
	escalation,
];
