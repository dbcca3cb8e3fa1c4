/** The one table of error codes: status, what it means, what to do, and whether trying again can help. */
import { Type, type Static } from 'typebox';
import { Json } from './primitives';

interface ProblemKind {
	readonly status: number;
	readonly title: string;
	/** What the caller can do about it; becomes the last sentence of `detail`. */
	readonly action: string;
	/** True where the same request may succeed later; the answer then carries `retryAfterMs` and `Retry-After`. */
	readonly retryable: boolean;
}

export const PROBLEMS = {
	invalid_request: {
		status: 400,
		title: 'The request does not match the contract',
		action: 'Correct the members named in errors.',
		retryable: false,
	},
	unauthorized: {
		status: 401,
		title: 'The API key is missing or wrong',
		action: 'Send "Authorization: Bearer <JOURNAL_API_KEY>".',
		retryable: false,
	},
	forbidden: {
		status: 403,
		title: 'This key may not do that',
		action:
			'Use JOURNAL_ADMIN_KEY: deciding, resolving, cancelling, reopening, erasing and the audit need it.',
		retryable: false,
	},
	not_entitled: {
		status: 403,
		title: 'This person may not decide this gate',
		action: 'Ask one of those who may.',
		retryable: false,
	},
	not_found: {
		status: 404,
		title: 'There is no such resource',
		action: 'Check the path and the identifier.',
		retryable: false,
	},
	step_in_progress: {
		status: 409,
		title: 'Another caller is executing this step',
		action: 'Ask again when its lease ends.',
		retryable: true,
	},
	step_in_doubt: {
		status: 409,
		title: 'The step was started and nobody knows whether its effect happened',
		action: 'Look in the other system, then resolve the step as completed, failed or retry.',
		retryable: false,
	},
	step_waiting_retry: {
		status: 409,
		title: 'The step waits for its next attempt',
		action: 'Ask again at nextAttemptAt.',
		retryable: true,
	},
	step_repeated: {
		status: 409,
		title: 'Another step did this within the time that the guard sets',
		action:
			'Nothing to do if it is the same business; else give the guard a key that tells them apart.',
		retryable: false,
	},
	step_unsettled: {
		status: 409,
		title: 'The same place asks with another input while its last step is unsettled',
		action:
			'Settle the step named in previousKey first, or leave the fields named in changed out of the input.',
		retryable: false,
	},
	step_input_changed: {
		status: 409,
		title: 'The input changed since this place last ran in this run',
		action:
			'Leave the fields named in changed out of the input, or allow it with onInputChange "run".',
		retryable: false,
	},
	run_cancelled: {
		status: 409,
		title: 'The run is cancelled',
		action: 'Start a new run with another run id.',
		retryable: false,
	},
	run_settled: {
		status: 409,
		title: 'The run has ended and takes nothing new',
		action:
			'What it holds is still replayed. To go on: reopen it if it is dead (POST /v1/runs/{runId}/reopen), else use another run id.',
		retryable: false,
	},
	run_full: {
		status: 409,
		title: 'The run holds as many steps or gates as one run can',
		action: 'Split the work into several runs, for example one for each item.',
		retryable: false,
	},
	run_awaited: {
		status: 409,
		title: 'An execution of n8n still waits for a gate of this run',
		action: 'Cancel the run first; erase it once its executions were woken, which takes moments.',
		retryable: true,
	},
	gate_not_approved: {
		status: 409,
		title: 'The gate this step needs is not approved',
		action: 'Wait for its approval, or check that the step names the right gate of the same run.',
		retryable: false,
	},
	gate_closed: {
		status: 409,
		title: 'The gate is already decided',
		action: 'Nothing to do: the decision shown stands.',
		retryable: false,
	},
	lease_lost: {
		status: 409,
		title: 'The fencing token is stale',
		action: 'Stop: another attempt owns the step, or it is settled.',
		retryable: false,
	},
	result_conflict: {
		status: 409,
		title: 'The step or run is already completed with another result',
		action: 'Use the stored result; a completed result never changes.',
		retryable: false,
	},
	step_not_resolvable: {
		status: 409,
		title: 'Only a step that is in doubt, failed or waiting can be resolved',
		action: 'Wait until the current attempt is settled or its lease ends.',
		retryable: false,
	},
	run_erased: {
		status: 410,
		title: 'The run was erased',
		action: 'Use another run id.',
		retryable: false,
	},
	run_pruned: {
		status: 410,
		title: 'The run is older than the retention time and was removed',
		action: 'Use another run id.',
		retryable: false,
	},
	payload_too_large: {
		status: 413,
		title: 'The body is larger than the journal accepts',
		action: 'Keep large data elsewhere and journal a reference to it.',
		retryable: false,
	},
	unsupported_media_type: {
		status: 415,
		title: 'The body is not JSON',
		action: 'Send "Content-Type: application/json".',
		retryable: false,
	},
	idempotency_key_reused: {
		status: 422,
		title: 'The same idempotency key was used with another input',
		action: 'Use a new idempotency key, or send the original input.',
		retryable: false,
	},
	channel_unavailable: {
		status: 422,
		title: 'A channel of this gate cannot be used',
		action: 'Configure the channel as the detail says, or leave it out.',
		retryable: false,
	},
	internal_error: {
		status: 500,
		title: 'The journal failed',
		action: 'Look into its log for the request id.',
		retryable: true,
	},
	store_damaged: {
		status: 500,
		title: 'The database of the journal is damaged',
		action:
			'Stop the journal, keep a copy of its files, and restore a backup (durable-journal restore).',
		retryable: false,
	},
	store_busy: {
		status: 503,
		title: 'The journal cannot store anything now',
		action: 'Try again; if it lasts, check disk space and the log.',
		retryable: true,
	},
} as const satisfies Record<string, ProblemKind>;

export type ProblemCode = keyof typeof PROBLEMS;

/** RFC 9457 problem details, plus a stable `code`. Extra members depend on the code. */
export const Problem = Type.Object({
	type: Type.String(),
	title: Type.String(),
	status: Type.Integer(),
	code: Type.String({ description: 'Stable; never match on a text.' }),
	detail: Type.String(),
	retryAfterMs: Type.Optional(Type.Integer({ minimum: 0 })),
	errors: Type.Optional(Type.Array(Type.Object({ pointer: Type.String(), detail: Type.String() }))),
	key: Type.Optional(Type.String()),
	previousKey: Type.Optional(Type.String()),
	changed: Type.Optional(Type.Array(Type.String({ description: 'JSON pointer (RFC 6901)' }))),
	attempt: Type.Optional(Type.Integer()),
	runId: Type.Optional(Type.String({ description: 'Where it is another run than was asked for' })),
	step: Type.Optional(Type.String()),
	completedAt: Type.Optional(Type.String()),
	runState: Type.Optional(Type.String()),
	leaseExpiresAt: Type.Optional(Type.String()),
	nextAttemptAt: Type.Optional(Type.String()),
	lookAt: Type.Optional(
		Type.String({ description: 'From when a claim with onInDoubt "verify" may look' }),
	),
	startedAt: Type.Optional(Type.String()),
	gateId: Type.Optional(Type.String()),
	decision: Type.Optional(Json),
	sameAs: Type.Optional(Type.Integer()),
	refusedBecause: Type.Optional(
		Type.String({ description: 'not_approver, requester, passed_on or link_only_shows' }),
	),
});
export type Problem = Omit<Static<typeof Problem>, 'code'> & { code: ProblemCode };
