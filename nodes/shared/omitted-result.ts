/**
 * What is stored in place of a result that the journal will not take (over its body limit). The
 * step is completed all the same: its effect happened, and leaving it open would be a false doubt.
 */
const MEMBER = 'durable:resultOmitted';

/** The substitute for a result that is too large. */
export const omittedResult = (): Record<string, boolean> => ({ [MEMBER]: true });

export const isOmittedResult = (result: unknown): boolean =>
	typeof result === 'object' && result !== null && MEMBER in result;
