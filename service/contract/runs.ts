/** Wire shapes of runs, the audit and the service itself. */
import { Type, type Static } from 'typebox';
import { Gate } from './gates';
import { closed, Instant, Json, PageQuery, PersonText } from './primitives';
import { ListedStep } from './steps';

export const RunState = Type.Enum(['active', 'completed', 'failed', 'cancelled', 'dead']);
export type RunState = Static<typeof RunState>;

/** Who ended a run or took it up again. */
export const RunSettlement = Type.Object({
	by: Type.String(),
	reason: Type.Optional(Type.String()),
	at: Instant,
});
export type RunSettlement = Static<typeof RunSettlement>;

export const Run = Type.Object({
	runId: Type.String(),
	state: RunState,
	createdAt: Instant,
	updatedAt: Instant,
	stepCount: Type.Integer({ description: 'Steps ever begun in it' }),
	gateCount: Type.Integer({ description: 'Gates ever opened in it' }),
	settled: Type.Optional(RunSettlement),
	reopened: Type.Optional(RunSettlement),
	cancelled: Type.Optional(Type.Object({ by: Type.String(), reason: Type.String() })),
});
export type Run = Static<typeof Run>;

/** One page of a run: its steps in the order of their first claims; gates on the first page only. */
export const RunDetail = Type.Object({
	...Run.properties,
	result: Type.Optional(Json),
	steps: Type.Array(ListedStep),
	nextCursor: Type.Union([Type.String(), Type.Null()]),
	gates: Type.Array(Type.Omit(Gate, ['message']), {
		description: 'The first ones; GET /v1/gates?runId= gives all',
	}),
});
export type RunDetail = Static<typeof RunDetail>;

export const RunList = Type.Object({
	items: Type.Array(Run),
	nextCursor: Type.Union([Type.String(), Type.Null()]),
});

export const RunListQuery = Type.Object({ state: Type.Optional(RunState), ...PageQuery }, closed);

/** How a run ended; `dead` is for the admin key. */
export const SettleRunRequest = Type.Object(
	{
		as: Type.Enum(['completed', 'failed', 'dead']),
		result: Type.Optional(Json),
		reason: Type.Optional(PersonText(4096)),
		by: PersonText(256),
	},
	closed,
);
export type SettleRunRequest = Static<typeof SettleRunRequest>;

export const ReopenRunRequest = Type.Object(
	{ reason: PersonText(4096), by: PersonText(256) },
	closed,
);
export type ReopenRunRequest = Static<typeof ReopenRunRequest>;

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
