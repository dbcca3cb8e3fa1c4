import { canonicalJson } from './canonical-json';

/** Whether two results are the same value; no result and null are two different ones. */
export function sameJson(stored: unknown, reported: unknown): boolean {
	if ((stored === undefined) !== (reported === undefined)) return false;
	return canonicalJson(stored) === canonicalJson(reported);
}
