/** RFC 8785 (JSON Canonicalization Scheme), and what of JSON has no safe canonical form. */

export interface Unhashable {
	/** RFC 6901 pointer to the value. */
	readonly pointer: string;
	readonly detail: string;
}

/** Escapes one member name for an RFC 6901 JSON pointer. */
export function pointerSegment(name: string): string {
	return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/**
 * Lists the values that must not be hashed, since two different values would share one form:
 * numbers that overflowed, integers beyond ±(2^53−1) in any notation, lone surrogates.
 * @param value what JSON.parse returned; `undefined` members are absent
 * @param pointer where `value` stands
 */
export function findUnhashable(value: unknown, pointer = ''): Unhashable[] {
	if (typeof value === 'number') {
		if (!Number.isFinite(value)) return [{ pointer, detail: 'is not a finite number' }];
		if (Number.isInteger(value) && !Number.isSafeInteger(value))
			return [{ pointer, detail: 'is an integer beyond ±(2^53−1): send it as a string' }];
		return [];
	}
	if (typeof value === 'string')
		return value.isWellFormed() ? [] : [{ pointer, detail: 'contains a lone surrogate' }];
	if (value === null || typeof value === 'boolean' || value === undefined) return [];
	if (Array.isArray(value))
		return value.flatMap((item, index) => findUnhashable(item, `${pointer}/${index}`));
	if (typeof value === 'object')
		return Object.entries(value).flatMap(([name, member]) => {
			const at = `${pointer}/${pointerSegment(name)}`;
			const wrongName = name.isWellFormed()
				? []
				: [{ pointer: at, detail: 'has a name with a lone surrogate' }];
			return [...wrongName, ...findUnhashable(member, at)];
		});
	return [{ pointer, detail: `is a ${typeof value}, which JSON does not have` }];
}

/**
 * The canonical text of a JSON value (RFC 8785): members in order of their UTF-16 code units,
 * numbers as ECMAScript writes them, no white space. `undefined` members are absent; an
 * `undefined` item of an array is null, as in JSON.stringify.
 */
export function canonicalJson(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item)).join(',')}]`;
	if (value !== null && typeof value === 'object') {
		const members = value as Record<string, unknown>;
		const names = Object.keys(members).filter((name) => members[name] !== undefined);
		// The default sort compares UTF-16 code units, which is what RFC 8785, 3.2.3 asks for.
		names.sort();
		return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalJson(members[name])}`).join(',')}}`;
	}
	return JSON.stringify(value) ?? 'null';
}
