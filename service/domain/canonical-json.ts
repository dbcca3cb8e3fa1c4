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
	return write(value, { unhashable: false });
}

/**
 * As canonicalJson, in one walk for hashing and for refusing: a claim's input is walked while
 * everybody else waits.
 * @returns undefined where findUnhashable finds something
 */
export function hashableJson(value: unknown): string | undefined {
	const seen = { unhashable: false };
	const text = write(value, seen);
	return seen.unhashable ? undefined : text;
}

function write(value: unknown, seen: { unhashable: boolean }): string {
	switch (typeof value) {
		case 'string':
			if (!value.isWellFormed()) seen.unhashable = true;
			return JSON.stringify(value);
		case 'number':
			if (!isHashableNumber(value)) seen.unhashable = true;
			return Number.isFinite(value) ? String(value) : 'null';
		case 'boolean':
			return String(value);
		case 'undefined':
			return 'null';
		case 'object':
			if (value === null) return 'null';
			return Array.isArray(value) ? writeItems(value, seen) : writeMembers(value, seen);
		default:
			seen.unhashable = true;
			return 'null';
	}
}

function writeItems(items: readonly unknown[], seen: { unhashable: boolean }): string {
	let text = '';
	for (const item of items) text += `${text === '' ? '' : ','}${write(item, seen)}`;
	return `[${text}]`;
}

function writeMembers(object: object, seen: { unhashable: boolean }): string {
	const members = object as Record<string, unknown>;
	let text = '';
	// The default sort compares UTF-16 code units, which is what RFC 8785, 3.2.3 asks for.
	for (const name of Object.keys(members).sort()) {
		const member = members[name];
		if (member === undefined) continue;
		text += `${text === '' ? '' : ','}${write(name, seen)}:${write(member, seen)}`;
	}
	return `{${text}}`;
}

function isHashableNumber(value: number): boolean {
	return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}
