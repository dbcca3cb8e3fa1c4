import type { Outcome } from './outcome';

const NOT_RUN = 'The tool did not run.';
const SAME_ANSWER = 'The same call with the same arguments gets this same answer.';

const said = (comment: string | null) => (comment?.trim() ? ` They say: ${comment.trim()}` : '');

/**
 * What the model is told of a call that was not approved. No person's name: models belong to others.
 * No URL and no id either: nothing here may help to approve.
 */
export function reviewWords({ decision, via, comment }: Outcome): string {
	if (via === 'deadline') {
		return `NOT APPROVED IN TIME: nobody decided about this call before its deadline. ${NOT_RUN} Do not call it again; say that it was not approved in time.`;
	}
	if (decision === 'changes') {
		return `CHANGES REQUESTED: a person wants this call changed.${said(comment)} ${NOT_RUN} Call it again with other arguments, and a person decides anew. ${SAME_ANSWER}`;
	}
	if (decision === 'reject') {
		return `REJECTED: a person rejected this call.${said(comment)} ${NOT_RUN} Do not try it in other words. ${SAME_ANSWER}`;
	}
	return `NOT APPROVED: the question about this call was withdrawn before anybody decided. ${NOT_RUN} Do not call it again; say that it was not approved.`;
}

/** For an approval of other arguments that n8n cannot give to the tool: the model has to. */
export const callAgainWith = (args: object): string =>
	`CHANGES REQUESTED: a person wants this call with other arguments: ${JSON.stringify(args)}. ${NOT_RUN} Call it again with exactly these.`;

/** For a call about which nobody could be asked. */
export const notAsked = (sentence: string): string =>
	`NOT ASKED: nobody was asked about this call, and the tool did not run. ${sentence}`;
