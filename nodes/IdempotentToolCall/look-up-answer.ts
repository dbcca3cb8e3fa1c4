import type { Found } from '../shared/look-up';

const isMembers = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at a path such as `data.0.id`; undefined where nothing is there. */
function valueAt(body: unknown, path: string): unknown {
	return path
		.split('.')
		.filter((name) => name !== '')
		.reduce<unknown>((value, name) => {
			if (Array.isArray(value)) return /^\d+$/.test(name) ? value[Number(name)] : undefined;
			return isMembers(value) && Object.hasOwn(value, name) ? value[name] : undefined;
		}, body);
}

const isEmpty = (value: unknown): boolean =>
	!value || (typeof value === 'object' && Object.keys(value).length === 0);

/** What a yes or a count stands for is the answer that holds it. */
const resultOf = (value: unknown, body: unknown): unknown => {
	const first: unknown = Array.isArray(value) ? value[0] : value;
	return typeof first === 'boolean' || typeof first === 'number' ? body : first;
};

/**
 * Reads from an answer whether the call happened. Only what is plainly a yes or a no counts: an
 * error, an answer without the field, or one that is no JSON leaves the doubt.
 * @param field path in the answer; empty: the whole answer
 */
export function readAnswer(
	{ statusCode, body }: { statusCode: number; body: unknown },
	field: string,
): Found {
	if (statusCode === 404) return { happened: false, why: 'The look-up found nothing (HTTP 404)' };
	if (statusCode < 200 || statusCode >= 300) {
		return { happened: undefined, why: `The look-up was answered with HTTP ${statusCode}` };
	}
	if (typeof body !== 'object' || body === null) {
		return { happened: undefined, why: 'The look-up was answered with something that is no JSON' };
	}
	const value = valueAt(body, field);
	if (value === undefined) {
		return { happened: undefined, why: `The answer of the look-up has no field "${field}"` };
	}
	if (isEmpty(value)) return { happened: false, why: 'The look-up found nothing' };
	return { happened: true, result: resultOf(value, body) };
}
