import { errorFacts } from '../shared/error-facts';

/** Said beside a result that another call of the same execution already got. */
export const SAME_CALL =
	'This same call was made before: this is its recorded result, and nothing was done again.';

/**
 * What a model must know before anything else about a call that did not succeed: whether it may call
 * again. The sentence for people follows.
 * @param sentence as `toNodeError` makes it
 */
export function wordsForModel(error: unknown, sentence: string): string {
	switch (errorFacts(error)?.verdict) {
		case 'in_doubt':
			return `IN DOUBT: nobody knows whether this call had its effect. Do not try it again, not in other words either; say that a person has to look. ${sentence}`;
		case 'retryable':
			return `NOT DONE: this call could not be made now. Do not try it again in this conversation; say that it will be tried later. ${sentence}`;
		case 'terminal':
			return `REFUSED: the same call will be refused again. ${sentence}`;
		case undefined:
			return sentence;
	}
}
