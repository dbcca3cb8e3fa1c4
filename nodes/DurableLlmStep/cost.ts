import { UserError } from 'n8n-workflow';
import type { TokenUsage } from './call-model';

/** USD per million tokens. */
export interface Prices {
	inputPrice?: number;
	outputPrice?: number;
}

/**
 * The prices as the panel's options give them, where an expression may give anything.
 *
 * They are read before the call: the journal takes no nonsense for a cost, and would refuse the
 * answer that was just paid for.
 * @throws UserError where one is no price
 */
export function readPrices(options: { inputPrice?: unknown; outputPrice?: unknown }): Prices {
	const read = (given: unknown, kind: string): number | undefined => {
		if (given === undefined || given === null || given === '') return undefined;
		const price = Number(given);
		if (Number.isFinite(price) && price >= 0) return price;
		throw new UserError(
			`The option "USD per 1M ${kind} Tokens" must be a number of zero or more: correct it.`,
		);
	};
	return {
		inputPrice: read(options.inputPrice, 'Input'),
		outputPrice: read(options.outputPrice, 'Output'),
	};
}

/** Cost of a call in USD; null where no price was given or the model did not count its tokens. */
export function costUsd(usage: TokenUsage, prices: Prices): number | null {
	const { inputPrice, outputPrice } = prices;
	if (inputPrice === undefined && outputPrice === undefined) return null;
	if (usage.inputTokens === null || usage.outputTokens === null) return null;
	const millionths =
		usage.inputTokens * (inputPrice ?? 0) + usage.outputTokens * (outputPrice ?? 0);
	// Prices are decimal: without rounding, 0.15 × 11 would be shown as 1.6500000000000001.
	return Math.round(millionths * 1e6) / 1e12;
}
