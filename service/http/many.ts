import type { FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import type { ManyAnswer } from '../contract/steps';
import { JournalProblem } from '../journal/problem';
import { invalidRequest, problemDocument } from './problems';

/**
 * The items of a call about many steps. One that does not match the contract is a refusal in its
 * place, and leaves the others alone; a call that is wrong itself is refused as a whole. The route
 * must have `attachValidation`.
 */
export function itemsOf<Item>(
	request: Pick<FastifyRequest, 'validationError' | 'compileValidationSchema'> & {
		readonly body: { readonly steps: Item[] };
	},
	schema: TSchema,
): Array<Item | JournalProblem> {
	const error = request.validationError;
	if (!error) return request.body.steps;
	const [first] = error.validation ?? [];
	if (!first?.instancePath.startsWith('/steps/')) throw error;
	const isValid = request.compileValidationSchema(schema);
	return request.body.steps.map((item) =>
		isValid(item as object) ? item : invalidRequest(isValid.errors ?? []),
	);
}

/** Answers of a call about many steps: each with the status and body it would have had alone. */
export function manyAnswer<Body>(answers: ReadonlyArray<Body | JournalProblem>): ManyAnswer<Body> {
	const results = answers.map((answer) =>
		answer instanceof JournalProblem
			? { status: answer.status, body: problemDocument(answer) }
			: { status: 200, body: answer },
	);
	return { results };
}
