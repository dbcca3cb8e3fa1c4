import fc from 'fast-check';
import type { Approver } from '../../../service/contract/gates';
import {
	currentApprovers,
	entitlement,
	type Authority,
	type Claimant,
} from '../../../service/domain/authority';

const ann: Approver = { name: 'Ann', telegramId: 1, slackId: 'U1', email: 'ann@example.com' };
const ben: Approver = { name: 'Ben', telegramId: 2, inbox: 'b.login' };
const cid: Approver = { name: 'Cid', telegramId: 3 };
const authority = (members: Partial<Authority> = {}): Authority => ({
	named: [ann, ben],
	askedFirst: 2,
	passedOn: false,
	requester: undefined,
	...members,
});
const nobody = authority({ named: [], askedFirst: 0 });
const escalated = authority({ named: [ann, ben, cid], askedFirst: 2, passedOn: true });

const telegram = (telegramId: number): Claimant => ({ via: 'telegram', telegramId, name: 'x' });
const slack = (slackId: string): Claimant => ({ via: 'slack', slackId, name: 'x' });
const inbox = (login: string): Claimant => ({ via: 'inbox', login });
const link = (holder: number | 'link' | 'show'): Claimant => ({ via: 'link', holder });
const api = (by: string): Claimant => ({ via: 'api', by });

test.each<[string, Authority, Claimant, object]>([
	['by telegram', authority(), telegram(1), { by: 'Ann' }],
	['by slack', authority(), slack('U1'), { by: 'Ann' }],
	['by the login that is given', authority(), inbox('b.login'), { by: 'Ben' }],
	['by name where no login is given', authority(), inbox('Ann'), { by: 'Ann' }],
	['by a link of their own', authority(), link(1), { by: 'Ben' }],
	['by a mail of their own', authority(), { via: 'email', holder: 0 }, { by: 'Ann' }],
	['the admin key in any name', authority(), api('Somebody'), { by: 'Somebody' }],
	['whoever has the link, with nobody named', nobody, link('link'), { by: 'link' }],
	['whoever presses, with nobody named', nobody, telegram(9), { by: 'x' }],
	['whoever is logged in, with nobody named', nobody, inbox('Zoe'), { by: 'Zoe' }],
	['those it was passed on to', escalated, telegram(3), { by: 'Cid' }],
	['those it was passed on to, by their link', escalated, link(2), { by: 'Cid' }],
	['the admin key after that too', escalated, api('Ann'), { by: 'Ann' }],
])('may decide: %s', (_, given, claimant, expected) =>
	expect(entitlement(given, claimant)).toEqual(expected),
);

test.each<[string, Authority, Claimant, string]>([
	['another account', authority(), telegram(9), 'not_approver'],
	['another workspace member', authority(), slack('U9'), 'not_approver'],
	['the name where a login is given', authority(), inbox('Ben'), 'not_approver'],
	['a link for anybody, where people are named', authority(), link('link'), 'not_approver'],
	['a link of nobody', authority(), link(7), 'not_approver'],
	['a link that shows', authority(), link('show'), 'link_only_shows'],
	['a link that shows, with nobody named', nobody, link('show'), 'link_only_shows'],
	['those asked first', escalated, telegram(1), 'passed_on'],
	['those asked first, by their link', escalated, link(0), 'passed_on'],
	['strangers after that', escalated, telegram(9), 'not_approver'],
	[
		'whoever has the link, once it was passed on',
		authority({ named: [cid], askedFirst: 0, passedOn: true }),
		link('link'),
		'passed_on',
	],
	[
		'those it may be passed on to, before',
		authority({ named: [ann, cid], askedFirst: 1 }),
		telegram(3),
		'not_approver',
	],
])('may not decide: %s', (_, given, claimant, refusedBecause) =>
	expect(entitlement(given, claimant)).toEqual({ refusedBecause }),
);

describe('whose request it is may not decide it', () => {
	const own = authority({ requester: { name: 'Anna in the other system', telegramId: 1 } });
	test.each<Claimant>([telegram(1), slack('U1'), inbox('Ann'), link(0)])('%j', (claimant) =>
		expect(entitlement(own, claimant)).toEqual({ refusedBecause: 'requester' }),
	);
	test('nor by the admin key in that name', () =>
		expect(entitlement(authority({ requester: ann }), api('Ann'))).toEqual({
			refusedBecause: 'requester',
		}));
	test('nor with a mail address in other letters', () => {
		const requester = { name: 'A', email: 'ANN@example.com' };
		expect(currentApprovers(authority({ requester }))).toEqual([ben]);
	});
	test('the others may', () => expect(entitlement(own, telegram(2))).toEqual({ by: 'Ben' }));
});

test('somebody named in both lists decides after it was passed on, by either link', () => {
	const both = authority({ named: [ann, { ...ann }], askedFirst: 1, passedOn: true });
	for (const claimant of [telegram(1), link(0), link(1)])
		expect(entitlement(both, claimant)).toEqual({ by: 'Ann' });
});

test('with named approvers, nobody decides in a name that is not one of theirs', () => {
	const person = fc.record({ name: fc.constantFrom('A', 'B', 'C', 'D'), telegramId: fc.nat(4) });
	const claimant: fc.Arbitrary<Claimant> = fc.oneof(
		fc.nat(5).map(telegram),
		fc.constantFrom('A', 'B', 'C', 'D', 'E').map(inbox),
		fc.constantFrom<0 | 1 | 2 | 3 | 'link' | 'show'>(0, 1, 2, 3, 'link', 'show').map(link),
	);
	fc.assert(
		fc.property(
			fc.array(person, { minLength: 1, maxLength: 3 }),
			fc.array(person, { maxLength: 2 }),
			fc.option(person, { nil: undefined }),
			fc.boolean(),
			claimant,
			(first, later, requester, passedOn, who) => {
				const given = {
					named: [...first, ...later],
					askedFirst: first.length,
					passedOn,
					requester,
				};
				const current = currentApprovers(given);
				const decided = entitlement(given, who);
				if (current.length === 0 || !('by' in decided)) return;
				expect(current.map(({ name }) => name)).toContain(decided.by);
				expect(decided.by).not.toBe(requester?.name);
			},
		),
	);
});
