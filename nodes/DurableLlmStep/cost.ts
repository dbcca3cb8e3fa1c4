import type { TokenUsage } from './call-model';

/** USD per million tokens. */
export interface Prices {
	inputPrice?: number;
	outputPrice?: number;
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
