import type { ClaimAnswer, ClaimRequest } from '../../service/contract/steps';
import { attempt } from './attempt';
import { LONGEST_CLAIM_WAIT_MS } from './claim-step';
import type { JournalClient, Outcome } from './journal-client';
import { isTooLarge } from './journal-error';

type Request = Omit<ClaimRequest, 'claimId'>;

interface Waiting {
	client: JournalClient;
	request: Request;
	resolve: (answer: Promise<ClaimAnswer>) => void;
}

/**
 * Lets the first claims of steps that begin together share one request. Only of such: a step that is
 * claimed long before it begins is in doubt when n8n dies in between, although nothing happened.
 */
export class ClaimWindow {
	private readonly waiting: Waiting[] = [];
	private missing: number;

	/** @param size how many places there are; all of them must claim or leave */
	constructor(size: number) {
		this.missing = size;
	}

	/** A place for one step. */
	enter(): { client: (client: JournalClient) => JournalClient; leave: () => void } {
		let here = false;
		const arrive = () => {
			if (here) return false;
			here = true;
			this.missing--;
			return true;
		};
		return {
			client: (client) => ({
				...client,
				claim: async (request) => {
					if (!arrive()) return await client.claim(request);
					return await new Promise((resolve) => {
						this.waiting.push({ client, request, resolve });
						this.sendWhenComplete();
					});
				},
			}),
			leave: () => {
				if (arrive()) this.sendWhenComplete();
			},
		};
	}

	private sendWhenComplete(): void {
		const [first] = this.waiting;
		if (this.missing > 0 || !first) return;
		const answers =
			this.waiting.length > 1 ? this.claimTogether(first.client) : Promise.resolve(undefined);
		for (const [index, { client, request, resolve }] of this.waiting.entries()) {
			resolve(answers.then(async (all) => await one(client, request, all?.[index])));
		}
	}

	/** Undefined where all of them are too much for one request. */
	private async claimTogether(
		client: JournalClient,
	): Promise<Array<Outcome<ClaimAnswer>> | undefined> {
		const requests = this.waiting.map(({ request }) => ({ ...request, waitMs: undefined }));
		const asked = await attempt(client.claimMany(requests));
		if (asked.ok) return asked.value;
		if (isTooLarge(asked.error)) return undefined;
		throw asked.error;
	}
}

/** Alone it can wait for another holder, which may be one of the same window. */
async function one(
	client: JournalClient,
	request: Request,
	outcome: Outcome<ClaimAnswer> | undefined,
): Promise<ClaimAnswer> {
	if (outcome?.ok) return outcome.value;
	if (!outcome) return await client.claim(request);
	const { code, problem } = outcome.error;
	if (code !== 'step_in_progress') throw outcome.error;
	const ownNeighbour = problem?.sameAs !== undefined;
	return await client.claim(ownNeighbour ? { ...request, waitMs: LONGEST_CLAIM_WAIT_MS } : request);
}
