import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { CallFacts } from '../../shared/classify-error';
import { parseStatusList, sharedStatus, type StatusList } from '../../shared/status-list';
import type { AnswerForm } from './http-answer';

/** Options of a request, as the panel gives them. */
export interface HttpOptions {
	timeoutMs: number;
	/** Name of the header that carries the key; undefined for none. */
	keyHeader: string | undefined;
	/** Names in lower case. */
	headersInKey: string[];
	maxRedirects: number;
	/** Sends again where 307 or 308 say so, also what is not GET or HEAD. */
	followUnsafe: boolean;
	ignoreSslIssues: boolean;
	proxy: IHttpRequestOptions['proxy'];
	success: StatusList;
	statuses: CallFacts['statuses'];
	answer: AnswerForm;
}

interface RawOptions {
	timeoutSeconds?: unknown;
	keyHeader?: unknown;
	headersInKey?: unknown;
	maxRedirects?: unknown;
	followUnsafe?: boolean;
	ignoreSslIssues?: boolean;
	proxy?: unknown;
	successStatuses?: unknown;
	retryStatuses?: unknown;
	terminalStatuses?: unknown;
	doubtStatuses?: unknown;
	responseFormat?: AnswerForm['format'];
	responseOutput?: AnswerForm['output'];
	responseFileField?: unknown;
}

const LONGEST_TIMEOUT_SECONDS = 86_400;
const MOST_REDIRECTS = 50;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** The journal keeps what identifies a call. */
const SECRET_HEADERS = new Set(['authorization', 'cookie', 'proxy-authorization']);
/** What makes the request itself. */
const OWN_HEADERS = new Set([
	...SECRET_HEADERS,
	'accept',
	'connection',
	'content-length',
	'content-type',
	'host',
	'transfer-encoding',
]);

const textOf = (value: unknown) => String(value ?? '').trim();

/** Reads the options of one item; each sentence says what to correct, before anything is claimed. */
class OptionReader {
	private readonly raw: RawOptions;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly itemIndex: number,
	) {
		this.raw = context.getNodeParameter('options', itemIndex, {}) as RawOptions;
	}

	private refuse(sentence: string): never {
		const { itemIndex } = this;
		throw new NodeOperationError(this.context.getNode(), sentence, { itemIndex });
	}

	/** What the panel allows, for expressions: the client takes other numbers for none, or throws midway. */
	private timeoutMs(): number {
		const seconds = Number(this.raw.timeoutSeconds ?? 60);
		if (seconds >= 1 && seconds <= LONGEST_TIMEOUT_SECONDS) return Math.round(seconds * 1000);
		return this.refuse(
			`The option Timeout must be a number of seconds from 1 to ${LONGEST_TIMEOUT_SECONDS}: correct it.`,
		);
	}

	private keyHeader(): string | undefined {
		const name = textOf(this.raw.keyHeader ?? 'Idempotency-Key');
		if (name === '') return undefined;
		if (HEADER_NAME.test(name) && !OWN_HEADERS.has(name.toLowerCase())) return name;
		return this.refuse(
			'The option Idempotency Key Header must be the name of a header of its own, such as X-Request-Id: correct it.',
		);
	}

	private headersInKey(): string[] {
		const names = textOf(this.raw.headersInKey)
			.toLowerCase()
			.split(/[,\n]/)
			.map((name) => name.trim())
			.filter((name) => name !== '');
		const secret = names.find((name) => SECRET_HEADERS.has(name));
		if (secret === undefined) return [...new Set(names)].sort();
		return this.refuse(
			`The option Headers in the Key names "${secret}", which carries a secret, and the journal keeps what identifies a call: take it out.`,
		);
	}

	private maxRedirects(): number {
		const most = Number(this.raw.maxRedirects ?? 21);
		if (Number.isInteger(most) && most >= 0 && most <= MOST_REDIRECTS) return most;
		return this.refuse(
			`The option Max Redirects must be a whole number from 0 to ${MOST_REDIRECTS}: correct it.`,
		);
	}

	private proxy(): IHttpRequestOptions['proxy'] {
		const text = textOf(this.raw.proxy);
		if (text === '') return undefined;
		const url = URL.parse(text);
		// n8n's client ignores another one and goes without: the request would leave by the wrong way.
		if (!url || !/^https?:$/.test(url.protocol)) {
			return this.refuse(
				'The option Proxy must be an address such as http://proxy.example.com:3128: correct it.',
			);
		}
		const { protocol, hostname: host, port, username, password } = url;
		return {
			protocol: protocol.slice(0, -1),
			host,
			port: Number(port || (protocol === 'https:' ? 443 : 80)),
			...(username && {
				auth: {
					username: decodeURIComponent(username),
					password: decodeURIComponent(password),
				},
			}),
		};
	}

	private list(label: string, given: unknown): StatusList {
		const list = parseStatusList(textOf(given));
		if (list) return list;
		return this.refuse(`The option ${label} must be statuses such as 409, 500-504: correct it.`);
	}

	private statuses(): Pick<HttpOptions, 'success' | 'statuses'> {
		const { raw } = this;
		const lists: Array<[string, StatusList]> = [
			['Status Codes: Success', this.list('Status Codes: Success', raw.successStatuses)],
			['Status Codes: Try Again On', this.list('Status Codes: Try Again On', raw.retryStatuses)],
			['Status Codes: Give Up On', this.list('Status Codes: Give Up On', raw.terminalStatuses)],
			['Status Codes: In Doubt On', this.list('Status Codes: In Doubt On', raw.doubtStatuses)],
		];
		for (const [at, [label, list]] of lists.entries())
			for (const [other, otherList] of lists.slice(at + 1)) {
				const both = sharedStatus(list, otherList);
				if (both !== undefined) {
					this.refuse(`The options ${label} and ${other} both name ${both}: take it out of one.`);
				}
			}
		const [success, retryable, terminal, inDoubt] = lists.map(([, list]) => list);
		return {
			success: success!.length > 0 ? success! : [[200, 299]],
			statuses: { retryable: retryable!, terminal: terminal!, in_doubt: inDoubt! },
		};
	}

	read(): HttpOptions {
		const { raw } = this;
		return {
			timeoutMs: this.timeoutMs(),
			keyHeader: this.keyHeader(),
			headersInKey: this.headersInKey(),
			maxRedirects: this.maxRedirects(),
			followUnsafe: raw.followUnsafe === true,
			ignoreSslIssues: raw.ignoreSslIssues === true,
			proxy: this.proxy(),
			...this.statuses(),
			answer: {
				format: raw.responseFormat ?? 'auto',
				output: raw.responseOutput ?? 'statusAndBody',
				fileField: textOf(raw.responseFileField) || 'data',
			},
		};
	}
}

/**
 * Reads the request's options for one item.
 * @throws NodeOperationError with one sentence where one is wrong
 */
export const readHttpOptions = (context: IExecuteFunctions, itemIndex: number): HttpOptions =>
	new OptionReader(context, itemIndex).read();
