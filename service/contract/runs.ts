/** Wire shapes of runs, the audit and the service itself. */
import { Type, type Static } from 'typebox';
import { closed, Instant, PersonText } from './primitives';
import { Gate } from './gates';
import { Step } from './steps';

export const RunState = Type.Enum(['active', 'completed', 'failed', 'cancelled', 'dead']);
export type RunState = Static<typeof RunState>;

export const Run = Type.Object({
	runId: Type.String(),
	state: RunState,
	createdAt: Instant,
	updatedAt: Instant,
	cancelled: Type.Optional(Type.Object({ by: Type.String(), reason: Type.String() })),
});
export type Run = Static<typeof Run>;

export const RunDetail = Type.Object({
	...Run.properties,
	steps: Type.Array(Type.Omit(Step, ['input', 'result'])),
	gates: Type.Array(Type.Omit(Gate, ['message'])),
});
export type RunDetail = Static<typeof RunDetail>;

export const RunList = Type.Object({
	items: Type.Array(Run),
	nextCursor: Type.Union([Type.String(), Type.Null()]),
});

export const CancelRunRequest = Type.Object(
	{ reason: PersonText(4096), by: PersonText(256) },
	closed,
);
export type CancelRunRequest = Static<typeof CancelRunRequest>;

/** One line of `GET /v1/audit`: an immutable fact, chained by `hash` to the one before in its run. */
export const AuditEvent = Type.Object({
	seq: Type.Integer(),
	at: Instant,
	type: Type.String(),
	subject: Type.Optional(Type.String({ description: 'Step key or gate id' })),
	data: Type.Record(Type.String(), Type.Union([Type.String(), Type.Integer()])),
	previousHash: Type.String(),
	hash: Type.String(),
});
export type AuditEvent = Static<typeof AuditEvent>;

export const About = Type.Object({ api: Type.Literal('durable-journal'), version: Type.String() });
export type About = Static<typeof About>;
