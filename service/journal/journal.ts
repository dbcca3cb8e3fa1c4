import type { OpenGateRequest } from '../contract/gates';
import type { EndedExecution } from '../domain/ended-execution';
import type { Database } from '../store/database';
import type { Signals } from './signals';

/** What every use case works with. Built once in app.ts. */
export interface Journal {
	readonly database: Database;
	readonly signals: Signals;
	/** Uniform in [0, 1); for jitter only. */
	readonly random: () => number;
	/** Cryptographic randomness; for ids and secrets. */
	readonly randomBytes: (size: number) => Buffer;
	/** JOURNAL_SECRET: signs decision tokens and encrypts resume URLs. */
	readonly secret: Buffer;
	/** Where people reach decision pages, without a trailing slash. */
	readonly publicUrl: string;
	/** Why a channel that a gate asks for cannot be used, in one sentence, or undefined when all can. */
	readonly channelRefusal: (
		request: Pick<OpenGateRequest, 'channels' | 'approvers'>,
	) => string | undefined;
	/** Where n8n's API can be asked. */
	readonly endedExecution?: EndedExecution | undefined;
}

export { NAMESPACE } from '../store/namespace';
