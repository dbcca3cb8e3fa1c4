import type { ManyAnswer } from '../contract/steps';
import { JournalProblem } from '../journal/problem';
import { problemDocument } from './problems';

/** Answers of a call about many steps: each with the status and body it would have had alone. */
export function manyAnswer<Body>(answers: ReadonlyArray<Body | JournalProblem>): ManyAnswer<Body> {
	const results = answers.map((answer) =>
		answer instanceof JournalProblem
			? { status: answer.status, body: problemDocument(answer) }
			: { status: 200, body: answer },
	);
	return { results };
}
