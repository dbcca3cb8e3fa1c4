import { createHash } from 'node:crypto';
import type { ClaimManyItem } from '../../contract/steps';
import type { LargeJsonFacts } from '../../domain/large-json';
import { identifyStep } from '../../journal/identify-step';
import { JournalProblem } from '../../journal/problem';
import { isTooDeep } from '../body-depth';

/** Members that hold payloads: any JSON, about which the contract says nothing more. */
const PAYLOADS = ['input', 'result'] as const;

/** A large body without its payloads: small enough for the event loop. */
export interface CondensedBody {
	/** The body as JSON, with null for each payload. What is no JSON, and what is no object, stays so. */
	readonly text: string;
	/** It is nested too deep to be walked; `text` is not of use then. */
	readonly tooDeep: boolean;
	readonly payloads: readonly CondensedPayload[];
	/** The JSON texts of all payloads in UTF-8, one behind the other. */
	readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface CondensedPayload {
	/** Where it stands in the body. */
	readonly path: ReadonlyArray<string | number>;
	readonly start: number;
	readonly end: number;
	readonly facts: LargeJsonFacts;
}

type Members = Record<string, unknown>;

/** Takes the payloads out of the body of a claim, complete or resolve, or of many. Costs time: not for the event loop. */
export function condenseBody(bytes: Buffer): CondensedBody {
	const nothing = { tooDeep: false, payloads: [], bytes: new Uint8Array(0) };
	let body: unknown;
	try {
		body = JSON.parse(bytes.toString('utf8'));
	} catch {
		return { ...nothing, text: '{' };
	}
	if (isTooDeep(body)) return { ...nothing, text: '', tooDeep: true };
	// Refused whatever is in it.
	if (!isObject(body)) return { ...nothing, text: Array.isArray(body) ? '[]' : '""' };

	const texts: Buffer[] = [];
	const payloads: CondensedPayload[] = [];
	let start = 0;
	const cut = (members: Members, path: ReadonlyArray<string | number>): void => {
		for (const name of PAYLOADS) {
			if (!Object.hasOwn(members, name)) continue;
			const text = Buffer.from(JSON.stringify(members[name]));
			const end = start + text.length;
			payloads.push({ path: [...path, name], start, end, facts: factsOf(members, name, text) });
			texts.push(text);
			start = end;
			members[name] = null;
		}
	};
	cut(body, []);
	if (Array.isArray(body['steps']))
		for (const [index, item] of body['steps'].entries())
			if (isObject(item)) cut(item, ['steps', index]);
	return { text: JSON.stringify(body), tooDeep: false, payloads, bytes: joined(texts, start) };
}

function factsOf(members: Members, name: (typeof PAYLOADS)[number], text: Buffer): LargeJsonFacts {
	const textSha256 = createHash('sha256').update(text).digest('hex');
	if (name === 'result') return { textSha256 };
	// Members of a wrong type give an identity that is never used: the contract refuses them.
	const identity = identifyStep(members as ClaimManyItem);
	return identity instanceof JournalProblem
		? { textSha256, unhashable: identity.members.errors ?? [] }
		: { textSha256, identity };
}

function joined(texts: readonly Buffer[], length: number): Uint8Array<ArrayBuffer> {
	const all = new Uint8Array(length);
	let at = 0;
	for (const text of texts) {
		all.set(text, at);
		at += text.length;
	}
	return all;
}

function isObject(value: unknown): value is Members {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
