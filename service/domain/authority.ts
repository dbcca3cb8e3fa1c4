/** Who may decide a gate. Pure; the one place that every channel, page and the API ask. */
import type { Approver } from '../contract/gates';

/** Who may decide a gate, and who may not. */
export interface Authority {
	/** Those who were asked first, then those it is passed on to: decision tokens hold the index. */
	readonly named: readonly Approver[];
	/** How many of `named` were asked first; 0 where whoever holds the link may decide. */
	readonly askedFirst: number;
	/** The gate was passed on: only those behind `askedFirst` may decide. */
	readonly passedOn: boolean;
	/** Whose request it is, and who may therefore not decide it (four eyes). */
	readonly requester: Approver | undefined;
}

/** Somebody who wants to decide, as the channel knows them. */
export type Claimant =
	| { readonly via: 'api'; readonly by: string }
	| { readonly via: 'inbox'; readonly login: string }
	| { readonly via: 'link' | 'email'; readonly holder: TokenHolder }
	| { readonly via: 'telegram'; readonly telegramId: number; readonly name: string }
	| { readonly via: 'slack'; readonly slackId: string; readonly name: string };

/**
 * Whom a decision token was made for: the index of an approver, whoever holds it, or everybody who
 * sees it, to look only.
 */
export type TokenHolder = number | 'link' | 'show';

export type NotEntitled = 'not_approver' | 'requester' | 'passed_on' | 'link_only_shows';

/** Under which name this person decides, or why they may not. */
export type Entitlement = { readonly by: string } | { readonly refusedBecause: NotEntitled };

/** Those who may decide now, in the order in which they were named. Empty: whoever was sent it. */
export function currentApprovers(authority: Authority): Approver[] {
	const { named, askedFirst, passedOn, requester } = authority;
	return (passedOn ? named.slice(askedFirst) : named.slice(0, askedFirst)).filter(
		(approver) => !isSamePerson(approver, requester),
	);
}

/**
 * May this person decide? The admin key decides in any name but the requester's: what it may do
 * elsewhere, it may do here.
 */
export function entitlement(authority: Authority, claimant: Claimant): Entitlement {
	const { named, requester } = authority;
	if (claimant.via === 'api')
		return isSamePerson({ name: claimant.by }, requester)
			? { refusedBecause: 'requester' }
			: { by: claimant.by };
	if ('holder' in claimant && claimant.holder === 'show')
		return { refusedBecause: 'link_only_shows' };
	const person = named.find((approver, index) => isClaimant(approver, index, claimant));
	if (requester && (isSamePerson(person, requester) || isClaimant(requester, -1, claimant)))
		return { refusedBecause: 'requester' };
	const current = currentApprovers(authority);
	if (current.length === 0) return { by: nameOf(claimant) };
	const now = current.find((approver) => isSamePerson(approver, person));
	if (now) return { by: now.name };
	const before = person !== undefined || ('holder' in claimant && claimant.holder === 'link');
	return { refusedBecause: authority.passedOn && before ? 'passed_on' : 'not_approver' };
}

/** Two entries that stand for one person: the same name, or one account that is the same. */
export function isSamePerson(one: Approver | undefined, other: Approver | undefined): boolean {
	if (!one || !other) return false;
	return (
		one.name === other.name ||
		isSame(one.telegramId, other.telegramId) ||
		isSame(one.slackId, other.slackId) ||
		isSame(one.email?.toLowerCase(), other.email?.toLowerCase()) ||
		isSame(one.inbox, other.inbox)
	);
}

function isClaimant(approver: Approver, index: number, claimant: Claimant): boolean {
	switch (claimant.via) {
		case 'telegram':
			return approver.telegramId === claimant.telegramId;
		case 'slack':
			return approver.slackId === claimant.slackId;
		case 'inbox':
			return (approver.inbox ?? approver.name) === claimant.login;
		case 'api':
			return approver.name === claimant.by;
		default:
			return index === claimant.holder;
	}
}

function nameOf(claimant: Exclude<Claimant, { via: 'api' }>): string {
	if ('login' in claimant) return claimant.login;
	return 'name' in claimant ? claimant.name : 'link';
}

function isSame(one: unknown, other: unknown): boolean {
	return one !== undefined && one === other;
}
