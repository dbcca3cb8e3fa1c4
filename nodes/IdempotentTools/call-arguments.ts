import type { ToolObject } from './inner-tools';

type Members = Record<string, unknown>;

/** The parts of Zod that are used here; n8n has two versions of it. */
interface ZodLike {
	shape?: Members;
	safeParse(value: unknown): {
		success: boolean;
		error?: { issues?: Array<{ path?: unknown[]; message?: string }> };
	};
	_def?: { unknownKeys?: string; catchall?: { _zod?: { def?: { type?: string } } } };
}

interface JsonSchema {
	properties?: Members;
	required?: unknown[];
	additionalProperties?: unknown;
}

const isZod = (schema: unknown): schema is ZodLike =>
	typeof (schema as Partial<ZodLike> | undefined)?.safeParse === 'function';

/** Members that n8n adds to the call, so that no argument may have their name. */
export const RESERVED = ['tool', 'toolCallId'] as const;

/** Names of the arguments that a tool declares; undefined where it takes any. */
export function declaredArguments({ schema }: ToolObject): string[] | undefined {
	if (isZod(schema)) {
		const open =
			schema._def?.unknownKeys === 'passthrough' ||
			schema._def?.catchall?._zod?.def?.type === 'unknown';
		return schema.shape && !open ? Object.keys(schema.shape) : undefined;
	}
	const { properties, additionalProperties } = (schema ?? {}) as JsonSchema;
	return properties && additionalProperties !== true ? Object.keys(properties) : undefined;
}

/**
 * What the tool will read as its arguments. n8n mixes them with the agent's own item, and the tool
 * gets the mixture, too: only what the tool declares is taken out of it.
 */
export function callArguments(tool: ToolObject, item: Members): Members {
	const names = declaredArguments(tool);
	return Object.fromEntries(
		Object.entries(item).filter(
			([name]) =>
				!(RESERVED as readonly string[]).includes(name) && (names?.includes(name) ?? true),
		),
	);
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
