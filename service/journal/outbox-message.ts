import type { ShownGate } from '../domain/shown-gate';
import type { DeliveryTarget } from '../store/deliveries';
import type { OutboxKind, OutboxRow } from '../store/outbox';

/** One message to be sent now, with everything it says. */
export interface OutboxMessage {
	readonly row: Pick<OutboxRow, 'id' | 'attempts' | 'created_at'>;
	/**
	 * `gate` shows an open gate; `update` shows what changed about it in the same place (who has
	 * approved, or that others decide now); `reminder` says once more that it is open; `outcome` shows
	 * in the same place what became of it.
	 */
	readonly kind: OutboxKind;
	readonly deliveryRef: number;
	readonly channel: string;
	readonly target: DeliveryTarget;
	/** Identifies the delivery in the data of a chat button. */
	readonly shortId: string;
	/** The channel's id of the message that was sent before, which an outcome edits. */
	readonly messageId: string | undefined;
	/** Whether those who see this place may still decide: not when the gate was passed on to others. */
	readonly answerable: boolean;
	/** The gate as it is now. */
	readonly gate: ShownGate;
	/** Pages: `decide` for the one person who sees the place, `show` for all others. */
	readonly links: { readonly decide: string | undefined; readonly show: string };
}

/** What a channel says about a message. Error codes are short and stable: they are stored and logged. */
export type DeliveryOutcome =
	| { readonly kind: 'sent'; readonly messageId: string; readonly target: DeliveryTarget }
	| { readonly kind: 'failed'; readonly code: string }
	| { readonly kind: 'again'; readonly code: string; readonly retryAfterMs?: number };

/** Sends one message. Resolves for every outcome, and soon after the signal was aborted. */
export type Deliver = (message: OutboxMessage, signal: AbortSignal) => Promise<DeliveryOutcome>;
