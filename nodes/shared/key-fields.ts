/** Names of members from the outside in; in a list they mean those of each element. */
export type FieldPath = readonly string[];

/** Reads names such as `timestamp, meta.requestId`: dots lead inwards, commas or line breaks separate. */
export const parseFieldPaths = (text: string): FieldPath[] =>
	text
		.split(/[,\n]/)
		.map((name) => name.trim())
		.filter((name) => name !== '')
		.map((name) => name.split('.'));

type Members = Record<string, unknown>;

const isMembers = (value: unknown): value is Members =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** What is left of the paths inside the member `name`; empty where none leads there. */
const within = (paths: readonly FieldPath[], name: string): FieldPath[] =>
	paths.filter(([head]) => head === name).map((path) => path.slice(1));

const endsHere = (paths: readonly FieldPath[]) => paths.some((path) => path.length === 0);

/** A copy without the members that the paths name. */
export function leaveOut(value: unknown, paths: readonly FieldPath[]): unknown {
	if (paths.length === 0) return value;
	if (Array.isArray(value)) return value.map((element) => leaveOut(element, paths));
	if (!isMembers(value)) return value;
	return Object.fromEntries(
		Object.entries(value)
			.filter(([name]) => !endsHere(within(paths, name)))
			.map(([name, member]) => [name, leaveOut(member, within(paths, name))]),
	);
}

/** A copy with nothing but the members that the paths name. */
export function keepOnly(value: unknown, paths: readonly FieldPath[]): unknown {
	if (endsHere(paths)) return value;
	if (Array.isArray(value)) return value.map((element) => keepOnly(element, paths));
	if (!isMembers(value)) return null;
	return Object.fromEntries(
		Object.entries(value)
			.map(([name, member]) => [name, member, within(paths, name)] as const)
			.filter(([, , inner]) => inner.length > 0)
			.map(([name, member, inner]) => [name, keepOnly(member, inner)]),
	);
}

/** Whether a path leads to something; in a list, in any of its elements. */
export function leadsSomewhere(value: unknown, path: FieldPath): boolean {
	const [name, ...inner] = path;
	if (name === undefined) return true;
	if (Array.isArray(value)) return value.some((element) => leadsSomewhere(element, path));
	return isMembers(value) && Object.hasOwn(value, name) && leadsSomewhere(value[name], inner);
}
