import type { Approver, Channel as RequestedChannel, ChannelName } from '../contract/gates';
import type { Deliver } from '../journal/outbox-message';

/** A requested channel with its members, whichever way it was written. */
export type ChannelRequest = Exclude<RequestedChannel, string>;

/** A way to show gates to people. */
export interface Channel {
	readonly type: ChannelName;
	/** Why this gate could not be shown or decided here, in one sentence, or undefined. */
	refuse(request: ChannelRequest, approvers: readonly Approver[]): string | undefined;
	readonly deliver: Deliver;
}
