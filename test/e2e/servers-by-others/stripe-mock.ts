/** A stateful mock of Stripe's API that honours `Idempotency-Key`, on loopback. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createExpressApp } from 'stripe-stateful-mock';
import { httpRequest } from '../../http-request';

/** The mock takes every test key; each is an account of its own. */
export const STRIPE_KEY = 'sk_test_of_the_tests';

export interface Charge {
	id: string;
	amount: number;
	description: string;
}

export interface StripeMock {
	readonly baseUrl: string;
	/** Charges with this description, as the API lists them. */
	charges(description: string): Promise<Charge[]>;
	/** Requests to make a charge. */
	attempts(): number;
	/** The answer to the next charge does not leave, although the charge is made. */
	withholdNext(): void;
	/** How many answers were withheld. */
	withheld(): number;
	stop(): Promise<void>;
}

export async function startStripeMock(): Promise<StripeMock> {
	const app = createExpressApp();
	let attempts = 0;
	let toWithhold = 0;
	let withheld = 0;
	const server = createServer((request, response) => {
		if (request.method === 'POST') {
			attempts += 1;
			if (toWithhold > 0) {
				toWithhold -= 1;
				response.end = (() => {
					withheld += 1;
					return response;
				}) as typeof response.end;
			}
		}
		app(request, response);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return {
		baseUrl,
		async charges(description) {
			const { body } = await httpRequest('GET', `${baseUrl}/v1/charges?limit=100`, undefined, {
				authorization: `Bearer ${STRIPE_KEY}`,
			});
			return (body.data as Charge[]).filter((charge) => charge.description === description);
		},
		attempts: () => attempts,
		withholdNext: () => void (toWithhold += 1),
		withheld: () => withheld,
		async stop() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
