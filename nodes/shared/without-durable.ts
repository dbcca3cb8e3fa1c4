import type { Durable } from './durable-output';

const isDurable = (value: unknown): boolean => {
	const member = value as Partial<Durable> | null;
	return (
		typeof member === 'object' &&
		typeof member?.key === 'string' &&
		typeof member.run === 'string' &&
		typeof member.replayed === 'boolean'
	);
};

/**
 * Copies a JSON value without the `durable` members that durable nodes add to their items. They tell
 * whether a result was replayed, so they differ between the first try and a retry, and an input that
 * contains one would look like another step.
 */
export function withoutDurable<T>(value: T): T {
	if (Array.isArray(value)) return value.map(withoutDurable) as T;
	if (typeof value !== 'object' || value === null) return value;
	// Dates and other objects with their own JSON form are left as they are.
	if (Object.getPrototypeOf(value) !== Object.prototype) return value;
	return Object.fromEntries(
		Object.entries(value)
			.filter(([name, member]) => name !== 'durable' || !isDurable(member))
			.map(([name, member]) => [name, withoutDurable(member as unknown)]),
	) as T;
}
