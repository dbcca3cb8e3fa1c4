import type { Dialect } from './dialect';

/**
 * A gate whose deadline passes may go to others: `stage` says to whom a message went (absent or 0:
 * those who were asked first, 1: those it was passed on to).
 */
export const escalation = ({ int }: Dialect): string => `
ALTER TABLE gates ADD COLUMN escalated_at ${int};
ALTER TABLE deliveries ADD COLUMN stage ${int};
`;
