import fc from 'fast-check';
import { buttonData, keyboard, parseButtonData } from '../../../service/channels/telegram/buttons';
import { gateMessage } from '../../../service/channels/telegram/gate-message';
import { toHtml, toPlain } from '../../../service/channels/telegram/styled-text';
import type { ShownGate } from '../../../service/domain/shown-gate';
import { parseTelegramHtml } from '../../stand-ins/telegram-html';
import { checkButtons, checkText } from '../../stand-ins/telegram-rules';

const GATE: ShownGate = {
	gateId: 'a'.repeat(64),
	runId: 'order-1',
	gate: 'approve',
	kind: 'approval',
	state: 'open',
	title: 'Send <b>invoice</b> & mail?',
	message: '*bold _under [link](x) `code',
	input: { amount: 490 },
	openedAt: 0,
	deadlineAt: Date.UTC(2027, 5, 1, 9),
	onDeadline: 'reject',
	timeZone: 'Europe/Madrid',
	approvers: [],
	decision: undefined,
	withoutEffect: false,
};
const DECISION = {
	decision: 'approve',
	by: 'Operator <3',
	via: 'telegram',
	at: '2027-06-01T08:00:00.000Z',
	shownSha256: 'b'.repeat(64),
} as const;
const shown = (gate: Partial<ShownGate>) =>
	checkText({ text: toHtml(gateMessage({ ...GATE, ...gate })), parse_mode: 'HTML' });

test('what people write stays what it is, and the deadline is said in its own zone', () => {
	expect(shown({})).toBe(
		[
			'Send <b>invoice</b> & mail?',
			'*bold _under [link](x) `code',
			'amount: 490',
			'Decide by 1 Jun 2027, 11:00 Europe/Madrid. After that it counts as not approved.',
		].join('\n\n'),
	);
});

test('the outcome says who, how, when, the comment, and that it had no effect', () => {
	const decision = { ...DECISION, comment: 'fine & <good>' };
	const text = shown({ state: 'approved', decision, withoutEffect: true, deadlineAt: undefined });
	expect(text).toContain('✅ Approved\nDecided by Operator <3 via Telegram, 1 Jun 2027, 10:00');
	expect(text).toContain('“fine & <good>”');
	expect(text).toContain('it had no effect');
	expect(text).not.toContain('Decide by');
});

test('a long message is shortened, says so, and keeps its deadline', () => {
	const text = shown({ message: 'word '.repeat(3000), input: { key: 'value '.repeat(3000) } });
	expect(text.length).toBeLessThanOrEqual(4096);
	expect(text).toContain('word…');
	expect(text).toContain('This message is shortened.');
	expect(text).toMatch(/not approved\.$/);
});

const anyText = (maxLength: number) =>
	fc.oneof(
		fc.string({ unit: 'binary', maxLength }),
		fc.string({ unit: fc.constantFrom('&', '<', '>', '"', '\n', ' ', '😀', 'a\u0301'), maxLength }),
	);
test('whatever is in it: Telegram takes it, and reads it as we meant it', () => {
	fc.assert(
		fc.property(
			fc.record({
				title: anyText(1024),
				message: anyText(9000),
				input: fc.oneof(fc.jsonValue(), fc.dictionary(anyText(50), anyText(2000))),
				comment: anyText(4096),
				state: fc.constantFrom('open' as const, 'rejected' as const),
			}),
			({ comment, ...gate }) => {
				const decision = { ...DECISION, decision: 'reject' as const, comment };
				const pieces = gateMessage({ ...GATE, ...gate, decision });
				expect(parseTelegramHtml(toHtml(pieces))).toBe(toPlain(pieces));
				expect(toPlain(pieces).length).toBeLessThanOrEqual(4096);
			},
		),
		{ numRuns: 300 },
	);
});

test.each(['approve', 'reject', 'happened', 'not_happened', 'stop'] as const)(
	'%s fits into the data of a button and is read back',
	(word) => {
		const shortId = 'Ab_-0123456789xy';
		expect(Buffer.byteLength(buttonData(word, shortId))).toBeLessThanOrEqual(64);
		expect(parseButtonData(buttonData(word, shortId))).toEqual({ word, shortId });
	},
);

test.each([undefined, '', 'a', 'z.Ab_-0123456789xy', 'a.short', 'a.Ab_-0123456789xy2', 'approve'])(
	'data of other buttons (%s) is none of ours',
	(data) => expect(parseButtonData(data)).toBeUndefined(),
);

test('chat buttons, a link, or both', () => {
	const texts = (shortId?: string, link?: string, kind: ShownGate['kind'] = 'approval') =>
		checkButtons({
			reply_markup: { inline_keyboard: keyboard({ ...GATE, kind }, shortId, link) as never },
		}).map(({ text }) => text);
	const id = 'Ab_-0123456789xy';
	expect(texts(id, 'https://a.example.com/gates/x')).toEqual(['✅ Approve', '❌ Reject', 'Open']);
	expect(texts(undefined, 'https://a.example.com/gates/x')).toEqual(['Open']);
	expect(texts(id, undefined, 'in_doubt')).toEqual([
		'It happened',
		'It did not happen',
		'Stop the step',
	]);
});
