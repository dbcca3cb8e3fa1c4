/** Wire shapes that several requests share. Every other file of this folder builds on these. */
import { Type, type Static } from 'typebox';

/** A name chosen by a caller (run id, step, gate): 1–256 characters, no control characters. */
export const Identifier = Type.String({
	minLength: 1,
	maxLength: 256,
	pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
});

/** The workflow place a step or gate comes from, `<workflowId>/<nodeId>#<run>.<item>`; parents prefix it. */
export const Slot = Type.String({
	minLength: 1,
	maxLength: 2048,
	pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
});

/** A step key or gate id: lowercase hex SHA-256. */
export const Sha256Hex = Type.String({ pattern: '^[0-9a-f]{64}$' });

/** RFC 3339 UTC with milliseconds, e.g. `2027-06-01T09:00:00.000Z`. */
export const Instant = Type.String({
	pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
});

/** Any JSON value. What is hashed is checked further by the domain (RFC 8785 with refusals). */
export const Json = Type.Unknown();

/** PostgreSQL has no NUL in a text. */
export const NO_NUL = '^[^\\u0000]*$';

/** A short text by a person: a reason, a comment, a name. */
export const PersonText = (maxLength: number) =>
	Type.String({ minLength: 1, maxLength, pattern: NO_NUL });

/** A closed object: unknown members are an error, never silently dropped. */
export const closed = { additionalProperties: false } as const;

const DAY_MS = 86_400_000;
/** How long a claim holds, in milliseconds: 100 to 30 days. */
export const LeaseMs = Type.Integer({ minimum: 100, maximum: 30 * DAY_MS });

/** Where a step or gate was asked from, as n8n knows it. Shown to people, never part of a key. */
export const Meta = Type.Object(
	{
		workflowId: Type.Optional(Type.String({ maxLength: 256 })),
		executionId: Type.Optional(Type.String({ maxLength: 256, pattern: NO_NUL })),
		node: Type.Optional(Type.String({ maxLength: 256 })),
		nodeLabel: Type.Optional(Type.String({ maxLength: 256 })),
		item: Type.Optional(Type.Integer({ minimum: 0 })),
		toolCallId: Type.Optional(
			Type.String({
				maxLength: 256,
				pattern: NO_NUL,
				description: "The model's id of the call, another one each time a model is asked.",
			}),
		),
	},
	closed,
);
export type Meta = Static<typeof Meta>;

/** `?limit=50&cursor=` of every list. The cursor is opaque. */
export const PageQuery = {
	limit: Type.Optional(Type.String({ pattern: '^([1-9]\\d?|[1-4]\\d\\d|500)$' })),
	cursor: Type.Optional(Type.String({ maxLength: 512 })),
};
