import { setTimeout as pause } from 'node:timers/promises';
import { backoffMs } from '../domain/retry-policy';
import { outcomeSentence, outcomeTitle } from '../domain/texts/gate-sentences';
import { wordsIn } from '../domain/texts/words';
import { shorten } from '../domain/visible-text';
import { decideGate } from '../journal/decide-gate';
import type { Journal } from '../journal/journal';
import {
	type ButtonPress,
	judgePress,
	type PressVerdict,
	recordPressedMessage,
} from '../journal/press-button';
import { JournalProblem } from '../journal/problem';
import {
	releaseTelegramLease,
	storeTelegramOffset,
	takeTelegramLease,
} from '../journal/telegram-lease';
import type { WorkerLog } from './worker-log';

/** A press as it came, and what it means when it is one of our buttons. */
export interface ReceivedPress {
	readonly queryId: string;
	readonly press: ButtonPress | undefined;
}

/** The ear at Telegram. */
export interface ButtonSource {
	/** Whether presses would reach us, asked anew. Says so in the log when they do not. */
	mayListen(signal: AbortSignal): Promise<boolean>;
	/** Waits some seconds for presses; undefined when somebody else gets them. */
	presses(
		offset: number,
		signal: AbortSignal,
	): Promise<{ presses: readonly ReceivedPress[]; nextOffset: number } | undefined>;
	/** Must be called once for each press, and first: Telegram waits for it. */
	answer(queryId: string, alert: string | undefined): Promise<void>;
}

const OTHER_HOLDER_PAUSE_MS = 1_000;
const UNHEARD_PAUSE_MS = 60_000;
/** https://core.telegram.org/bots/api#answercallbackquery: "0-200 characters". */
const MAX_ALERT = 200;

/**
 * Listens for button presses until the signal is aborted, as long as this process holds the lease.
 * Never throws: what fails is logged and tried again, later each time.
 */
export async function pollTelegram(
	journal: Journal,
	source: ButtonSource,
	log: WorkerLog,
	signal: AbortSignal,
): Promise<void> {
	const holder = journal.randomBytes(12).toString('base64url');
	const answered = new Set<string>();
	let failures = 0;
	while (!signal.aborted) {
		try {
			await rest(await pollOnce(journal, source, holder, answered, signal), signal);
			failures = 0;
		} catch (err) {
			if (signal.aborted) break;
			failures++;
			log.warn({ err: codeOf(err), failures }, 'listening at Telegram failed');
			await rest(backoffMs(failures, journal.random()), signal);
		}
	}
	await releaseTelegramLease(journal, holder).catch((err: unknown) =>
		log.warn({ err: codeOf(err) }, 'the lease on listening at Telegram was not given back'),
	);
}

/** @returns milliseconds to wait before the next poll */
async function pollOnce(
	journal: Journal,
	source: ButtonSource,
	holder: string,
	answered: Set<string>,
	signal: AbortSignal,
): Promise<number> {
	const lease = await takeTelegramLease(journal, holder);
	if (!lease) return OTHER_HOLDER_PAUSE_MS;
	if (!(await source.mayListen(signal))) return UNHEARD_PAUSE_MS;
	const received = await source.presses(lease.offset, signal);
	if (!received) return UNHEARD_PAUSE_MS;
	for (const { queryId, press } of received.presses) {
		const verdict: PressVerdict = press ? await judgePress(journal, press) : { kind: 'unknown' };
		// A press that comes again, since the store failed below, was answered the first time.
		if (!answered.has(queryId)) await source.answer(queryId, alertOf(verdict));
		answered.add(queryId);
		if (press) await carryOut(journal, press, verdict);
	}
	if (received.nextOffset !== lease.offset)
		await storeTelegramOffset(journal, holder, received.nextOffset);
	answered.clear();
	return 0;
}

async function carryOut(
	journal: Journal,
	press: ButtonPress,
	verdict: PressVerdict,
): Promise<void> {
	if (verdict.kind === 'unknown') return;
	const { gateId } = verdict.kind === 'closed' ? verdict.gate : verdict;
	if (verdict.kind !== 'not_entitled') await recordPressedMessage(journal, press, gateId);
	if (verdict.kind === 'closed') return;
	try {
		await decideGate(journal, { gateId, decision: press.word, claimant: press.from });
	} catch (error) {
		// Somebody else was faster, the gate was erased, or this person may not: all have been told.
		if (!(error instanceof JournalProblem) || error.status >= 500) throw error;
	}
}

function alertOf(verdict: PressVerdict): string | undefined {
	switch (verdict.kind) {
		case 'allowed':
			return undefined;
		case 'closed':
			return shorten(
				[outcomeTitle, outcomeSentence]
					.map((say) => say(verdict.gate, verdict.gate.language))
					.filter(Boolean)
					.join('. '),
				MAX_ALERT,
			);
		case 'not_entitled':
			return wordsIn(verdict.language).notEntitled[verdict.because];
		case 'unknown':
			return wordsIn('en').unknownButton;
	}
}

/** Errors of HTTP clients hold the URL, and that of the Bot API holds the token. */
function codeOf(error: unknown): string {
	return error instanceof JournalProblem ? error.code : (error as Error).name;
}

async function rest(ms: number, signal: AbortSignal): Promise<void> {
	if (ms > 0) await pause(ms, undefined, { signal }).catch(() => undefined);
}
