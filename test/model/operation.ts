import type { Expected, Model } from './model';
import type { Answer, World } from './world';

/** One thing that somebody asks of the journal. What it refers to is looked up in the model when it runs. */
export interface Operation {
	/**
	 * What is asked, or undefined when there is nothing to ask about yet. The same request may be
	 * sent again, as a client does that lost the answer.
	 */
	prepare(model: Model): Request | undefined;
	readonly name: string;
}

export interface Request {
	/** What is asked, in a word. */
	readonly kind: string;
	send(world: World): Promise<Answer>;
	/** What the answer must be; moves the model to where the journal must be now. */
	expect(model: Model, seen: Answer): Expected;
	/** What the caller remembers of an answer that reached it. */
	learn?(model: Model, seen: Answer): void;
}

/** How often which answer was seen, over all histories: what was never seen was never tested. */
export const seenAnswers = new Map<string, number>();

/** @throws when the answer is not what the model says; the model has moved then */
export function check(model: Model, request: Request, seen: Answer): void {
	const { outcome, code, state } = seen.body ?? {};
	const answer = `${request.kind}: ${outcome ?? code ?? state ?? seen.status}`;
	seenAnswers.set(answer, (seenAnswers.get(answer) ?? 0) + 1);
	expect({ status: seen.status, body: seen.body }).toMatchObject(request.expect(model, seen));
}
