import type { OpenGateRequest } from '../contract/gates';
import type { Deliver } from '../journal/outbox-message';
import type { Channel } from './channel';

/** All channels of this service as one. */
export interface Channels {
	/** Why a gate's channels cannot be used, in one sentence, or undefined when all can. */
	refuse(request: Pick<OpenGateRequest, 'channels' | 'approvers'>): string | undefined;
	readonly deliver: Deliver;
}

/** @param available those that are configured */
export function createChannels(available: readonly Channel[]): Channels {
	const byType = new Map<string, Channel>(available.map((channel) => [channel.type, channel]));
	return {
		refuse({ channels = [], approvers = [] }) {
			for (const requested of channels) {
				const request = typeof requested === 'string' ? { type: requested } : requested;
				const channel = byType.get(request.type);
				const refusal = channel ? channel.refuse(request, approvers) : NOT_CONFIGURED[request.type];
				if (refusal !== undefined) return refusal;
			}
			return undefined;
		},
		async deliver(message, signal) {
			const channel = byType.get(message.channel);
			// The configuration was changed after the gate was opened; it may be changed back.
			return channel
				? await channel.deliver(message, signal)
				: { kind: 'again', code: 'channel_not_configured' };
		},
	};
}

const NOT_CONFIGURED: Record<Channel['type'], string> = {
	telegram: 'Telegram cannot be used: TELEGRAM_BOT_TOKEN is not set',
	slack: 'Slack cannot be used: this version has no such channel',
	email: 'Email cannot be used: this version has no such channel',
};
