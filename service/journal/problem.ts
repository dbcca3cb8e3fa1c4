import { PROBLEMS, type Problem, type ProblemCode } from '../contract/problem';

type Members = Partial<Omit<Problem, 'type' | 'title' | 'status' | 'code' | 'detail'>>;

/**
 * A refusal with a stable code. Inside a transaction it is *returned*, never thrown: a throw would
 * undo what the use case had to write before refusing (a lease that ran out, an audit event).
 */
export class JournalProblem extends Error {
	override readonly name = 'JournalProblem';

	/**
	 * @param code from the table in contract/problem
	 * @param members further members of the problem document that belong to this code
	 * @param what what happened in this case; defaults to the title of the code
	 */
	constructor(
		readonly code: ProblemCode,
		readonly members: Members = {},
		readonly what: string = PROBLEMS[code].title,
	) {
		super(`${what}. ${PROBLEMS[code].action}`);
	}

	get status(): number {
		return PROBLEMS[this.code].status;
	}
}

/** Passes an answer on and throws a problem: to be used after the commit. */
export function orThrow<Answer>(answer: Answer | JournalProblem): Answer {
	if (answer instanceof JournalProblem) throw answer;
	return answer;
}
