/** Wire shapes of steps: claim, complete, fail, renew, resolve, read. */
import { Type, type Static } from 'typebox';
import {
	closed,
	Identifier,
	Instant,
	Json,
	LeaseMs,
	Meta,
	NO_NUL,
	PageQuery,
	PersonText,
	Sha256Hex,
	Slot,
} from './primitives';
import { Problem } from './problem';

export const StepState = Type.Enum(['claimed', 'completed', 'failed', 'in_doubt', 'waiting_retry']);
export type StepState = Static<typeof StepState>;

export const OnInDoubt = Type.Enum(['fail', 'retry', 'ask', 'verify']);
export type OnInDoubt = Static<typeof OnInDoubt>;

export const OnInputChange = Type.Enum(['stop', 'run']);
export type OnInputChange = Static<typeof OnInputChange>;

export const Verdict = Type.Enum(['retryable', 'terminal', 'in_doubt']);
export type Verdict = Static<typeof Verdict>;

/** At most one effect for a business key within a time, whatever run asks. */
export const Guard = Type.Object(
	{
		key: Type.String({
			minLength: 1,
			maxLength: 1024,
			pattern: NO_NUL,
			description: 'What there may be one of, such as a customer; only its hash is kept.',
		}),
		name: Type.Optional(Identifier),
		withinMs: Type.Integer({
			minimum: 1,
			maximum: 31_536_000_000,
			description:
				'How long a completed step stands in the way, and no longer than its run is kept.',
		}),
		onRepeat: Type.Enum(['refuse', 'replay']),
	},
	{
		...closed,
		description:
			'A step of another key that completed within the time under the same guard (name, else the ' +
			'step name, and key) is given back or refuses this one; one that is under way or in doubt ' +
			'refuses it; one that failed does not count.',
	},
);
export type Guard = Static<typeof Guard>;

const claimMembers = {
	runId: Identifier,
	step: Identifier,
	input: Json,
	idempotencyKey: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
	slot: Type.Optional(Slot),
	claimId: Type.Optional(
		Type.String({
			minLength: 1,
			maxLength: 128,
			pattern: NO_NUL,
			description:
				'Random per call, the same over transport retries: a lost answer is given again. Never ' +
				'kept over a crash: whoever sends it again says that it has not begun.',
		}),
	),
	leaseMs: Type.Optional(LeaseMs),
	onInDoubt: Type.Optional(OnInDoubt),
	onInputChange: Type.Optional(OnInputChange),
	retry: Type.Optional(
		Type.Object(
			{
				maxAttempts: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
				maxElapsedMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_592_000_000 })),
			},
			closed,
		),
	),
	receiverWindowMs: Type.Optional(
		Type.Integer({
			minimum: 0,
			maximum: 31_536_000_000,
			description:
				'How long the receiver remembers an idempotency key; onInDoubt "retry" ends with it.',
		}),
	),
	lookAfterMs: Type.Optional(
		Type.Integer({
			minimum: 0,
			maximum: 86_400_000,
			description:
				'With onInDoubt "verify": how long after the doubt arose nobody looks yet, since the receiver ' +
				'may still be working on what it was sent (default 5,000).',
		}),
	),
	guard: Type.Optional(Guard),
	gateId: Type.Optional(Sha256Hex),
	meta: Type.Optional(Meta),
};

export const ClaimManyItem = Type.Object(claimMembers, closed);
export type ClaimManyItem = Static<typeof ClaimManyItem>;

export const ClaimRequest = Type.Object(
	{ ...claimMembers, waitMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 30_000 })) },
	closed,
);
export type ClaimRequest = Static<typeof ClaimRequest>;

export const StepError = Type.Object(
	{
		message: Type.String({ maxLength: 65_536 }),
		code: Type.Optional(Type.String({ maxLength: 256 })),
		status: Type.Optional(Type.Integer()),
	},
	closed,
);
export type StepError = Static<typeof StepError>;

/**
 * Answer of a claim that got through: execute the step, take the stored result, take the stored
 * failure, or look into the other system whether it happened (onInDoubt "verify").
 */
export const ClaimAnswer = Type.Union([
	Type.Object({
		outcome: Type.Literal('execute'),
		key: Sha256Hex,
		attempt: Type.Integer(),
		fencingToken: Type.Integer(),
		leaseExpiresAt: Instant,
	}),
	Type.Object({
		outcome: Type.Literal('replay'),
		key: Sha256Hex,
		attempt: Type.Integer(),
		result: Type.Optional(Json),
		completedAt: Instant,
		runId: Type.Optional(
			Type.String({ description: 'Of another run, whose step the guard gives back' }),
		),
	}),
	Type.Object({
		outcome: Type.Literal('failed'),
		key: Sha256Hex,
		attempt: Type.Integer(),
		error: StepError,
	}),
	Type.Object(
		{
			outcome: Type.Literal('verify'),
			key: Sha256Hex,
			attempt: Type.Integer({ description: 'The one in doubt: a look is no attempt.' }),
			fencingToken: Type.Integer(),
			leaseExpiresAt: Instant,
		},
		{
			description:
				'The right to look, not to act. It happened: complete, with the result. It did not: fail as ' +
				'"retryable", and claim again. Nobody knows: fail as "in_doubt".',
		},
	),
]);
export type ClaimAnswer = Static<typeof ClaimAnswer>;

export const ManyAnswer = Type.Object({
	results: Type.Array(
		Type.Object({ status: Type.Integer(), body: Type.Union([Type.Any(), Problem]) }),
	),
});
export type ManyAnswer<Body> = { results: Array<{ status: number; body: Body | Problem }> };

export const ClaimManyRequest = Type.Object(
	{ steps: Type.Array(ClaimManyItem, { minItems: 1, maxItems: 500 }) },
	closed,
);

export const Usage = Type.Object(
	{
		model: Type.Optional(Type.String({ maxLength: 256 })),
		inputTokens: Type.Optional(Type.Integer({ minimum: 0 })),
		outputTokens: Type.Optional(Type.Integer({ minimum: 0 })),
		costUsd: Type.Optional(Type.Number({ minimum: 0 })),
	},
	closed,
);
export type Usage = Static<typeof Usage>;

const FencingToken = Type.Integer({ minimum: 1 });

export const CompleteRequest = Type.Object(
	{ fencingToken: FencingToken, result: Type.Optional(Json), usage: Type.Optional(Usage) },
	closed,
);
export type CompleteRequest = Static<typeof CompleteRequest>;

export const CompleteManyItem = Type.Object(
	{ key: Sha256Hex, ...CompleteRequest.properties },
	closed,
);
export type CompleteManyItem = Static<typeof CompleteManyItem>;
export const CompleteManyRequest = Type.Object(
	{ steps: Type.Array(CompleteManyItem, { minItems: 1, maxItems: 500 }) },
	closed,
);

export const FailRequest = Type.Object(
	{
		fencingToken: FencingToken,
		error: StepError,
		verdict: Verdict,
		retryAfterMs: Type.Optional(Type.Integer({ minimum: 0 })),
	},
	closed,
);
export type FailRequest = Static<typeof FailRequest>;

export const RenewRequest = Type.Object({ fencingToken: FencingToken, leaseMs: LeaseMs }, closed);
export type RenewRequest = Static<typeof RenewRequest>;
export const RenewAnswer = Type.Object({ leaseExpiresAt: Instant });
export type RenewAnswer = Static<typeof RenewAnswer>;

export const ResolveRequest = Type.Object(
	{
		as: Type.Enum(['completed', 'failed', 'retry']),
		result: Type.Optional(Json),
		reason: PersonText(4096),
		by: PersonText(256),
	},
	closed,
);
export type ResolveRequest = Static<typeof ResolveRequest>;

export const StateAnswer = Type.Object({
	state: StepState,
	nextAttemptAt: Type.Optional(Instant),
});
export type StateAnswer = Static<typeof StateAnswer>;

/** `look`: a look into the other system; `n8n`: n8n said that the execution which held it has ended. */
export const SettledBy = Type.Enum(['holder', 'person', 'clock', 'look', 'n8n']);
export type SettledBy = Static<typeof SettledBy>;

export const Step = Type.Object({
	key: Sha256Hex,
	runId: Type.String(),
	step: Type.String(),
	slot: Type.Optional(Type.String()),
	state: StepState,
	attempt: Type.Integer(),
	firstClaimedAt: Instant,
	claimedAt: Instant,
	leaseExpiresAt: Type.Optional(Instant),
	nextAttemptAt: Type.Optional(Instant),
	settledAt: Type.Optional(Instant),
	settledBy: Type.Optional(SettledBy),
	input: Type.Optional(Json),
	result: Type.Optional(Json),
	error: Type.Optional(StepError),
	lookError: Type.Optional(StepError),
	usage: Type.Optional(Usage),
	resolution: Type.Optional(Type.Object({ by: Type.String(), reason: Type.String(), at: Instant })),
	meta: Type.Optional(Meta),
});
export type Step = Static<typeof Step>;

/** A step in a list: without its payloads. */
export const ListedStep = Type.Omit(Step, ['input', 'result']);
export type ListedStep = Static<typeof ListedStep>;

export const StepList = Type.Object({
	items: Type.Array(ListedStep),
	nextCursor: Type.Union([Type.String(), Type.Null()]),
});

/** `?state=&limit=&cursor=` of the list of steps. Other states are looked up in their runs. */
export const StepListQuery = Type.Object({ state: Type.Literal('in_doubt'), ...PageQuery }, closed);
