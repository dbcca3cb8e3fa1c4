import type { Dialect } from './dialect';

/** A step in doubt may be looked up in the other system: by whom, until when, and why that failed. */
export const looks = ({ int }: Dialect): string => `
ALTER TABLE steps ADD COLUMN look_token ${int};
ALTER TABLE steps ADD COLUMN look_until ${int};
ALTER TABLE steps ADD COLUMN look_claim_id TEXT;
ALTER TABLE steps ADD COLUMN look_error_json TEXT;
`;
