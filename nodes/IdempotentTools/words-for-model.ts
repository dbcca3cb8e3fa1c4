import type { Verdict } from '../../service/contract/steps';
import { errorFacts } from '../shared/error-facts';

/** Said beside a result that another call of the same execution already got. */
export const SAME_CALL =
	'This same call was made before: this is its recorded result, and nothing was done again.';

const STOP = 'Do not try it again, not in other words either;';

/** Where the verdict alone would tell something that is not so. */
const BY_CODE: Record<string, string> = {
	lease_lost: `IN DOUBT: this call was made, and somebody else recorded what came of it. ${STOP} say that a person has to look.`,
	result_omitted: `DONE: this call had its effect, and its result was too large to be kept. ${STOP} say that it is done.`,
	step_in_progress: `UNDER WAY: another execution is making this same call. ${STOP} say that it is under way.`,
};

const BY_VERDICT: Record<Verdict, string> = {
	in_doubt: `IN DOUBT: nobody knows whether this call had its effect. ${STOP} say that a person has to look.`,
	// Whether an earlier try had its effect is open where the receiver recognises a repeat.
	retryable: `NOT YET: this call has not succeeded so far. ${STOP} say that it is open, and that the workflow has to be started again.`,
	terminal: 'REFUSED: this call did not succeed, and the same call will not be made again.',
};

/**
 * What a model must know before anything else about a call that did not succeed: whether it may call
 * again. The sentence for people follows.
 * @param sentence as `toNodeError` makes it
 */
export function wordsForModel(error: unknown, sentence: string): string {
	const facts = errorFacts(error);
	return facts ? `${BY_CODE[facts.code] ?? BY_VERDICT[facts.verdict]} ${sentence}` : sentence;
}
