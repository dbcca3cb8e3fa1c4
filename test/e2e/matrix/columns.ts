/** What happens to a call: the columns of the matrix. */
import { changed, killed, killedLater, once, repaired, together, twice, type Play } from './plays';
import type { Script } from './receiver';
import type { CallSettings } from './row';

export interface Column {
	readonly name: string;
	/** Short, for order numbers. */
	readonly id: string;
	readonly script: Partial<Script>;
	readonly call: CallSettings;
	readonly play: Play;
	/** A second request must not come earlier than this, in ms, where the row can know. */
	readonly leastPauseMs?: number;
	/** So often at least the journal must have been asked: else n8n did not try again at all. */
	readonly leastClaims?: number;
}

const RIGHT = 'right';
/** So short that it has run out when n8n is up again. */
const SHORT_LEASE = { leaseSeconds: 2 };
const FIVE_TRIES = { retryOnFail: true, maxTries: 5, waitBetweenTries: 0 };

const column = (
	id: string,
	name: string,
	play: Play,
	script: Partial<Script> = {},
	call: CallSettings = {},
): Column => ({ id, name, play, script, call });

/** Everything that could be done wrong is: the receiver acts although it answers 500. */
const BROKEN = { answers: Array.from({ length: 6 }, () => ({ status: 500, acts: true })) };
const REFUSED = { answers: Array.from({ length: 6 }, () => ({ status: 400 })) };

export const COLUMNS: readonly Column[] = [
	column('first', 'first run', once),
	column('second', 'the same run triggered again', twice),
	column(
		'retried',
		'n8n killed in a later node, execution retried',
		killedLater,
		{},
		{ options: SHORT_LEASE },
	),
	column('together', 'the same call at the same time from two executions', together, {
		answers: [{ holds: 'before' }],
	}),
	column(
		'before',
		'n8n killed before the effect, execution retried',
		killed,
		{ answers: [{ holds: 'before' }] },
		{ options: SHORT_LEASE },
	),
	column(
		'after',
		'n8n killed after the effect, execution retried',
		killed,
		{ answers: [{ holds: 'after' }] },
		{ options: SHORT_LEASE },
	),
	column(
		'honoured',
		'the same with On Doubt: try again, at a receiver that honours the key',
		killed,
		{ answers: [{ holds: 'after' }], honoursKey: true },
		{ options: { ...SHORT_LEASE, onInDoubt: 'retry' } },
	),
	column(
		'silent',
		'receiver acts and does not answer in time',
		once,
		{ answers: [{ holds: 'after' }] },
		{ timeoutSeconds: 1 },
	),
	{
		...column('429', '429 with Retry-After', once, {
			answers: [{ status: 429, headers: { 'retry-after': '1' } }],
		}),
		leastPauseMs: 1000,
	},
	column('529', '529', once, { answers: [{ status: 529 }] }),
	column('500', '500 after the effect', once, BROKEN),
	column('400', '400', once, REFUSED),
	column(
		'401',
		'401, credential repaired, execution retried',
		repaired(RIGHT),
		{ secret: RIGHT },
		{ secret: 'wrong' },
	),
	column('changed', 'input changed after it was done', changed),
	column('unsettled', 'input changed while in doubt', changed, BROKEN),
	{
		...column('five-500', 'Retry On Fail ×5, 500 after the effect', once, BROKEN, {
			settings: FIVE_TRIES,
		}),
		leastClaims: 5,
	},
	{
		...column('five-400', 'Retry On Fail ×5, 400', once, REFUSED, { settings: FIVE_TRIES }),
		leastClaims: 5,
	},
	column('output', 'error output, 400', once, REFUSED, {
		settings: { onError: 'continueErrorOutput' },
	}),
	column('output-doubt', 'error output, 500 after the effect', once, BROKEN, {
		settings: { onError: 'continueErrorOutput' },
	}),
];
