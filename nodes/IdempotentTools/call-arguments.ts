import { withoutDurable } from '../shared/without-durable';
import type { ToolObject } from './inner-tools';

type Members = Record<string, unknown>;

/** The parts of Zod that are used here; n8n has two versions of it. */
interface ZodLike {
	shape?: Members;
	safeParse(value: unknown): {
		success: boolean;
		error?: { issues?: Array<{ path?: unknown[]; message?: string }> };
	};
	_def?: {
		unknownKeys?: string;
		catchall?: { _def?: { typeName?: string; type?: string } };
		/** What is behind a transformation (Zod 3, Zod 4), both sides of an intersection, a wrapper. */
		schema?: unknown;
		in?: unknown;
		left?: unknown;
		right?: unknown;
		innerType?: unknown;
	};
}

interface JsonSchema {
	properties?: Members;
	required?: unknown[];
	additionalProperties?: unknown;
}

const isZod = (schema: unknown): schema is ZodLike =>
	typeof (schema as Partial<ZodLike> | undefined)?.safeParse === 'function';

function zodArguments({ shape, _def }: ZodLike): string[] | undefined {
	if (shape) {
		const rest = _def?.catchall?._def;
		const closed = rest === undefined || /never$/i.test(String(rest.typeName ?? rest.type));
		return closed && _def?.unknownKeys !== 'passthrough' ? Object.keys(shape) : undefined;
	}
	const inner = [_def?.schema, _def?.in, _def?.left, _def?.right, _def?.innerType].filter(isZod);
	const names = inner.map(zodArguments);
	return inner.length > 0 && names.every((each) => each !== undefined) ? names.flat() : undefined;
}

/** Members that n8n adds to the call, so that no argument may have their name. */
export const RESERVED = ['tool', 'toolCallId'] as const;

/** Names of the arguments that a tool declares; undefined where it takes any. */
export function declaredArguments({ schema }: ToolObject): string[] | undefined {
	if (isZod(schema)) return zodArguments(schema);
	const { properties, additionalProperties } = (schema ?? {}) as JsonSchema;
	return properties && additionalProperties !== true ? Object.keys(properties) : undefined;
}

/**
 * What the tool will read as its arguments. n8n mixes them with the agent's own item, and the tool
 * gets the mixture, too: only what the tool declares is taken out of it.
 */
export function callArguments(tool: ToolObject, item: Members): Members {
	const names = declaredArguments(tool);
	const args = Object.fromEntries(
		Object.entries(item).filter(
			([name]) =>
				!(RESERVED as readonly string[]).includes(name) && (names?.includes(name) ?? true),
		),
	);
	// A tool that takes any gets the agent's item, too, which may say whether something was replayed.
	return names ? args : withoutDurable(args);
}

const pathOf = (path: unknown[] | undefined) => (path?.length ? `${path.join('.')}: ` : '');

/** What is wrong with the arguments, in words for the model; undefined where nothing is. */
export function wrongArguments({ schema }: ToolObject, args: Members): string | undefined {
	if (isZod(schema)) {
		const checked = schema.safeParse(args);
		if (checked.success) return undefined;
		return (checked.error?.issues ?? [])
			.map(({ path, message }) => `${pathOf(path)}${message ?? 'wrong'}`)
			.join('; ');
	}
	const { required } = (schema ?? {}) as JsonSchema;
	const missing = (required ?? []).filter((name) => args[String(name)] === undefined);
	return missing.length > 0
		? missing.map((name) => `${String(name)}: missing`).join('; ')
		: undefined;
}
