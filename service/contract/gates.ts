/** Wire shapes of gates: open, read, decide. */
import { Type, type Static } from 'typebox';
import {
	closed,
	Identifier,
	Instant,
	Json,
	Meta,
	PageQuery,
	PersonText,
	Sha256Hex,
	Slot,
} from './primitives';

export const GateState = Type.Enum(['open', 'approved', 'rejected', 'expired', 'cancelled']);
export type GateState = Static<typeof GateState>;

export const GateKind = Type.Enum(['approval', 'in_doubt']);
export type GateKind = Static<typeof GateKind>;

export const DecisionWord = Type.Enum([
	'approve',
	'reject',
	'changes',
	'happened',
	'not_happened',
	'stop',
]);
export type DecisionWord = Static<typeof DecisionWord>;

export const Via = Type.Enum(['telegram', 'slack', 'email', 'inbox', 'link', 'api', 'deadline']);
export type Via = Static<typeof Via>;

const Duration = Type.String({
	maxLength: 64,
	pattern: '^P(?=\\d|T\\d)(\\d+D)?(T(?=\\d)(\\d+H)?(\\d+M)?(\\d+S)?)?$',
	description: 'ISO 8601 duration of days, hours, minutes, seconds; a day is 24 h.',
});
const TimeZone = Type.String({ minLength: 1, maxLength: 64, description: 'IANA name' });

export const Deadline = Type.Union([
	Type.Object({ in: Duration }, closed),
	Type.Object(
		{ at: Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' }), timeZone: TimeZone },
		closed,
	),
	Type.Object(
		{
			on: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,3})?)?$' }),
			timeZone: TimeZone,
		},
		closed,
	),
	Type.Object(
		{
			on: Type.String({
				pattern:
					'^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,3})?)?(Z|[+-]\\d{2}:\\d{2})$',
			}),
		},
		closed,
	),
]);
export type Deadline = Static<typeof Deadline>;

export const OnDeadline = Type.Enum(['reject', 'approve', 'abort', 'escalate', 'wait']);
export type OnDeadline = Static<typeof OnDeadline>;

export const ChannelName = Type.Enum(['telegram', 'slack', 'email']);
export type ChannelName = Static<typeof ChannelName>;

export const Channel = Type.Union([
	ChannelName,
	Type.Object(
		{
			type: ChannelName,
			to: Type.Optional(Type.String({ minLength: 1, maxLength: 320 })),
			threadId: Type.Optional(Type.Integer({ minimum: 1 })),
		},
		closed,
	),
]);
export type Channel = Static<typeof Channel>;

export const Approver = Type.Object(
	{
		name: PersonText(256),
		telegramId: Type.Optional(Type.Integer()),
		slackId: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
		email: Type.Optional(
			Type.String({ minLength: 3, maxLength: 320, pattern: '^[^\\s@,;<>"]+@[^\\s@,;<>"]+$' }),
		),
		/** The login name at the inbox; absent: the name. */
		inbox: Type.Optional(PersonText(256)),
	},
	closed,
);
export type Approver = Static<typeof Approver>;

/** In which language people are asked; absent: that of their browser, and English in messages. */
export const Language = Type.Enum(['en', 'es']);
export type Language = Static<typeof Language>;

/** `ends`: one rejection settles the gate; `counts`: it is rejected once the quorum is out of reach. */
export const Rejection = Type.Enum(['ends', 'counts']);
export type Rejection = Static<typeof Rejection>;

export const OpenGateRequest = Type.Object(
	{
		runId: Identifier,
		gate: Identifier,
		input: Json,
		slot: Type.Optional(Slot),
		title: Type.String({ minLength: 1, maxLength: 1024 }),
		message: Type.String({ maxLength: 65_536 }),
		channels: Type.Optional(Type.Array(Channel, { maxItems: 10 })),
		approvers: Type.Optional(Type.Array(Approver, { minItems: 1, maxItems: 50 })),
		quorum: Type.Optional(Type.Integer({ minimum: 1, maximum: 50 })),
		rejection: Type.Optional(Rejection),
		requester: Type.Optional(Approver),
		editable: Type.Optional(
			Type.Object(
				{},
				{
					additionalProperties: true,
					description:
						'JSON Schema of an object: its properties are the members of the input that may be edited before approving.',
				},
			),
		),
		offerChanges: Type.Optional(
			Type.Boolean({ description: 'Offers "ask for changes" beside approve and reject.' }),
		),
		language: Type.Optional(Language),
		resumeUrl: Type.Optional(Type.String({ minLength: 1, maxLength: 4096 })),
		deadline: Type.Optional(Deadline),
		onDeadline: Type.Optional(OnDeadline),
		escalateTo: Type.Optional(
			Type.Object(
				{
					approvers: Type.Array(Approver, { minItems: 1, maxItems: 50 }),
					in: Duration,
					then: Type.Enum(['reject', 'approve', 'abort', 'wait']),
				},
				closed,
			),
		),
		reminders: Type.Optional(
			Type.Array(
				Type.String({
					maxLength: 64,
					description:
						'A share of the time ("50%"), a time before the deadline ("PT15M"), or again and again ("R/P1D").',
				}),
				{ maxItems: 10 },
			),
		),
		meta: Type.Optional(Meta),
	},
	closed,
);
export type OpenGateRequest = Static<typeof OpenGateRequest>;

/** One member of the input that was edited: its RFC 6901 pointer, and its value before and after. */
export const Difference = Type.Object({
	pointer: Type.String(),
	before: Type.Optional(Json),
	after: Type.Optional(Json),
});
export type Difference = Static<typeof Difference>;

export const Decision = Type.Object({
	decision: DecisionWord,
	by: Type.String(),
	via: Via,
	policy: Type.Optional(OnDeadline),
	comment: Type.Optional(Type.String()),
	edits: Type.Optional(Json),
	difference: Type.Optional(Type.Array(Difference)),
	at: Instant,
	shownSha256: Sha256Hex,
});
export type Decision = Static<typeof Decision>;

export const Wake = Type.Object({
	state: Type.Enum(['pending', 'done', 'gone']),
	attempts: Type.Integer(),
	lastStatus: Type.Union([Type.Integer(), Type.Null()]),
});
export type Wake = Static<typeof Wake>;

export const OpenGateAnswer = Type.Object({
	gateId: Sha256Hex,
	state: GateState,
	deadline: Type.Union([Instant, Type.Null()]),
	decision: Type.Union([Decision, Type.Null()]),
	decisionUrl: Type.Union([Type.String(), Type.Null()]),
	ignored: Type.Optional(Type.Array(Type.String())),
	supersededBy: Type.Optional(Sha256Hex),
});
export type OpenGateAnswer = Static<typeof OpenGateAnswer>;

export const Gate = Type.Object({
	gateId: Sha256Hex,
	runId: Type.String(),
	gate: Type.String(),
	kind: GateKind,
	slot: Type.Optional(Type.String()),
	state: GateState,
	title: Type.String(),
	message: Type.String(),
	openedAt: Instant,
	deadline: Type.Union([Instant, Type.Null()]),
	decision: Type.Union([Decision, Type.Null()]),
	decisions: Type.Array(Decision),
	wakes: Type.Array(Wake),
	wake: Type.Union([Wake, Type.Null()]),
	supersededBy: Type.Optional(Sha256Hex),
	approvers: Type.Optional(
		Type.Array(Type.String(), { description: 'Names of those who may decide it now' }),
	),
	quorum: Type.Integer(),
	escalatedAt: Type.Optional(Instant),
	meta: Type.Optional(Meta),
});
export type Gate = Static<typeof Gate>;

/** `?state=&runId=&limit=&cursor=` of the list of gates. */
export const GateListQuery = Type.Object(
	{ state: Type.Optional(GateState), runId: Type.Optional(Identifier), ...PageQuery },
	closed,
);

/** Gates, newest first. */
export const GateList = Type.Object({
	items: Type.Array(Gate),
	nextCursor: Type.Union([Type.String(), Type.Null()]),
});

export const DecideRequest = Type.Object(
	{
		decision: DecisionWord,
		by: PersonText(256),
		comment: Type.Optional(Type.String({ maxLength: 4096 })),
		edits: Type.Optional(Json),
	},
	closed,
);
export type DecideRequest = Static<typeof DecideRequest>;
