/** What an execution of a canvas row shows, in the matrix's words. */
import { errorOf, outputsOf, type Execution } from '../n8n/n8n-client';

/** Sentences for people, by what they are about. */
const SENTENCES: Array<[RegExp, string]> = [
	[/ is in doubt[: (]/, 'in doubt'],
	[/ failed and trying again as it is will not help/, 'refused'],
	[/ failed for now and will be tried again at /, 'later'],
	[/ already ran in this run with another input \(changed: [^)]*amount[^)]*\)/, 'input changed'],
	[
		/ was asked with another input \([^)]*amount[^)]*\) while the try before is unsettled/,
		'input changed, unsettled',
	],
];

/** Names a sentence; one that no cell expects comes back as it is, so that the test shows it. */
export function nameSentence(sentence: string): string {
	const found = SENTENCES.find(([pattern]) => pattern.test(sentence));
	return found && sentence.trim().split('\n').length === 1 ? found[1] : JSON.stringify(sentence);
}

/** For a node named `Call` with a success and, perhaps, an error output. */
export function shownOnCanvas(execution: Execution): string {
	if (execution.status !== 'success') return `error: ${nameSentence(errorOf(execution) ?? '')}`;
	const [good = [], bad = []] = outputsOf(execution).Call?.at(-1) ?? [];
	if (bad.length > 0) return `error output: ${nameSentence(String(bad[0].error))}`;
	const durable = good[0]?.durable;
	if (!durable) return `success without "durable": ${JSON.stringify(good)}`;
	return `${durable.replayed ? 'replay' : 'success'}, attempt ${durable.attempt}`;
}
