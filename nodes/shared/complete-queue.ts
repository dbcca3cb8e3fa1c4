import type { CompleteRequest, StateAnswer } from '../../service/contract/steps';
import { attempt } from './attempt';
import type { JournalClient } from './journal-client';
import { isTooLarge } from './journal-error';

interface Waiting {
	key: string;
	request: CompleteRequest;
	resolve: (answer: Promise<StateAnswer> | StateAnswer) => void;
	reject: (reason: unknown) => void;
}

/**
 * Lets steps that are done while another one is being recorded share the next request. None waits for
 * company: what is done and not recorded is in doubt when n8n dies.
 */
export function queueCompletes(client: JournalClient): JournalClient {
	let waiting: Waiting[] = [];
	let sending = false;

	async function sendTogether(together: Waiting[]): Promise<void> {
		const told = await attempt(
			client.completeMany(together.map(({ key, request }) => ({ key, ...request }))),
		);
		// Too much for one request, perhaps not for one each.
		if (!told.ok && isTooLarge(told.error)) {
			for (const each of together) await sendAlone(each);
			return;
		}
		for (const [index, { resolve, reject }] of together.entries()) {
			if (!told.ok) reject(told.error);
			else {
				const outcome = told.value[index]!;
				if (outcome.ok) resolve(outcome.value);
				else reject(outcome.error);
			}
		}
	}

	async function sendAlone({ key, request, resolve, reject }: Waiting): Promise<void> {
		await client.complete(key, request).then(resolve, reject);
	}

	async function send(): Promise<void> {
		sending = true;
		while (waiting.length > 0) {
			const together = waiting;
			waiting = [];
			await (together.length > 1 ? sendTogether(together) : sendAlone(together[0]!));
		}
		sending = false;
	}

	return {
		...client,
		complete: async (key, request) =>
			await new Promise((resolve, reject) => {
				waiting.push({ key, request, resolve, reject });
				if (!sending) void send();
			}),
	};
}
