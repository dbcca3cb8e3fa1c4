/** The receivers of a small company: ERP, invoicing, mail, CRM. What each does and what it answers. */

let lastNumber = 1000;
const number = (prefix) => `${prefix}-${++lastNumber}`;

/**
 * @typedef {{ method: string, path: string, ref: string, body: any }} Call
 * @typedef {{ kind: string, label: string, status: number, answer: () => object }} Receiver
 *   answer is made when the effect happens, so that it carries a new number each time
 */

/** @type {Array<{ method: string, path: RegExp, receive: (call: Call, parts: string[]) => Receiver }>} */
const RECEIVERS = [
	{
		method: 'GET',
		path: /^\/erp\/companies\/([^/]+)$/,
		receive: (_call, [taxId]) => ({
			kind: 'lookup',
			label: 'tax number checked',
			status: 200,
			answer: () => ({ taxId, valid: true, registered: '2011-04-07', openInvoices: 0 }),
		}),
	},
	{
		method: 'POST',
		path: /^\/erp\/contracts$/,
		receive: () => ({
			kind: 'contract',
			label: 'contract registered',
			status: 201,
			answer: () => ({ contractId: number('C') }),
		}),
	},
	{
		method: 'POST',
		path: /^\/invoices$/,
		receive: ({ body }) => ({
			kind: 'invoice',
			label: `invoice of ${body?.amount ?? '?'} ${body?.currency ?? 'EUR'} issued`,
			status: 201,
			answer: () => ({
				invoiceId: number('INV'),
				amount: body?.amount ?? null,
				currency: body?.currency ?? 'EUR',
				state: 'issued',
			}),
		}),
	},
	{
		method: 'POST',
		path: /^\/mail\/([\w-]+)$/,
		receive: ({ body }, [mailbox]) => ({
			kind: 'mail',
			label: `mail to ${body?.to ?? mailbox} sent`,
			status: 202,
			answer: () => ({ messageId: number('M'), to: body?.to ?? mailbox }),
		}),
	},
	{
		method: 'PATCH',
		path: /^\/crm\/companies\/([^/]+)$/,
		receive: () => ({
			kind: 'crm',
			label: 'CRM updated',
			status: 200,
			answer: () => ({ revision: number('R') }),
		}),
	},
];

/** Paths under this prefix honour an `Idempotency-Key`; the same ones without it do not know the header. */
const IDEMPOTENT = '/idempotent';

/** @returns {{ receiver: Receiver, honoursKey: boolean } | undefined} undefined for a path nobody serves */
export function receiverFor(call) {
	const honoursKey = call.path.startsWith(`${IDEMPOTENT}/`);
	const path = honoursKey ? call.path.slice(IDEMPOTENT.length) : call.path;
	for (const { method, path: pattern, receive } of RECEIVERS) {
		const found = method === call.method && pattern.exec(path);
		if (found) return { receiver: receive(call, found.slice(1)), honoursKey };
	}
	return undefined;
}
