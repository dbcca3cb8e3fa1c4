import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { gateTerms, type TermOptions } from '../../../nodes/ApprovalGate/gate-terms';

const terms = (parameters: IDataObject, options: TermOptions = {}) =>
	gateTerms(
		{
			getNodeParameter: (name: string, _item: number, fallback: unknown) =>
				parameters[name] ?? fallback,
			getTimezone: () => 'Europe/Madrid',
		} as unknown as IExecuteFunctions,
		options,
	);
const people = (...person: IDataObject[]) => ({ person });

it('asks for nothing that the panel leaves open', () => {
	expect(terms({ deadlineType: 'none' })).toEqual({ channels: [] });
});

it('names approvers with the accounts that are filled in', () => {
	const approvers = people(
		{ name: ' Ann ', telegramId: 123, email: '', slackId: ' ', inbox: '' },
		{ name: 'Ben', telegramId: '', email: 'ben@example.com', slackId: 'U1', inbox: 'ben' },
	);
	expect(terms({ deadlineType: 'none', approvers, quorum: 2 }, { rejection: 'counts' })).toEqual({
		channels: [],
		approvers: [
			{ name: 'Ann', telegramId: 123 },
			{ name: 'Ben', email: 'ben@example.com', slackId: 'U1', inbox: 'ben' },
		],
		quorum: 2,
		rejection: 'counts',
	});
});

it.each([
	['no name', { name: '', telegramId: 1 }, 'a person has no name'],
	['an @name for an id', { name: 'Ann', telegramId: '@ann' }, 'is no number'],
	['a group for a person', { name: 'Ann', telegramId: '-100123' }, 'is no number'],
])('refuses an approver with %s', (_, person, sentence) => {
	expect(() => terms({ deadlineType: 'none', approvers: people(person) })).toThrow(sentence);
});

it('passes it on to others when the deadline has passed', () => {
	const parameters = {
		deadlineType: 'after',
		deadlineAmount: 2,
		deadlineUnit: 'hours',
		onDeadline: 'escalate',
		escalateTo: people({ name: 'Cid' }),
		escalateAmount: 1,
		escalateUnit: 'days',
		escalateThen: 'abort',
	};
	expect(terms(parameters)).toMatchObject({
		deadline: { in: 'PT2H' },
		onDeadline: 'escalate',
		escalateTo: { approvers: [{ name: 'Cid' }], in: 'P1D', then: 'abort' },
	});
	expect(() => terms({ ...parameters, escalateTo: {} })).toThrow('names nobody');
	expect(() => terms({ ...parameters, escalateAmount: 0 })).toThrow('above zero');
});

it('writes reminders as the journal reads them', () => {
	const reminder = [
		{ when: 'share', percent: 50 },
		{ when: 'before', amount: 15, unit: 'minutes' },
		{ when: 'every', amount: 1, unit: 'days' },
	];
	expect(terms({ deadlineType: 'none' }, { reminders: { reminder } }).reminders).toEqual([
		'50%',
		'PT15M',
		'R/P1D',
	]);
	const never = { reminder: [{ when: 'share', percent: 0 }] };
	expect(() => terms({ deadlineType: 'none' }, { reminders: never })).toThrow('1 to 99');
});

it('makes a schema of the editable fields', () => {
	const field = [
		{ name: 'amount', label: 'Amount in euros', type: 'number', minimum: '0', maximum: '500' },
		{ name: 'note', type: 'text', required: false },
		{ name: 'speed', type: 'choice', choices: 'low, high' },
		{ name: 'on', type: 'date' },
		{ name: 'gift', type: 'boolean' },
	];
	expect(terms({ deadlineType: 'none' }, { editable: { field } }).editable).toEqual({
		type: 'object',
		properties: {
			amount: { title: 'Amount in euros', type: 'number', minimum: 0, maximum: 500 },
			note: { type: 'string', maxLength: 10_000 },
			speed: { enum: ['low', 'high'] },
			on: { type: 'string', format: 'date' },
			gift: { type: 'boolean' },
		},
		required: ['amount', 'speed', 'on', 'gift'],
	});
});

it.each([
	[{ field: [{ name: '' }] }, 'has no name'],
	[{ field: [{ name: 'a', type: 'choice', choices: ' , ' }] }, 'without choices'],
	[{ field: [{ name: 'a', type: 'number', maximum: 'lots' }] }, 'is no number'],
])('refuses editable fields that cannot be read: %j', (editable, sentence) => {
	expect(() => terms({ deadlineType: 'none' }, { editable })).toThrow(sentence);
});

it('a schema of one own stands instead of the list, and must be an object', () => {
	const editableSchema = '{ "properties": { "amount": { "type": "number" } } }';
	const editable = { field: [{ name: 'other', type: 'text' }] };
	expect(terms({ deadlineType: 'none' }, { editable, editableSchema }).editable).toEqual({
		properties: { amount: { type: 'number' } },
	});
	for (const wrong of ['[1]', 'amount', 7])
		expect(() => terms({ deadlineType: 'none' }, { editableSchema: wrong } as TermOptions)).toThrow(
			'is no JSON object',
		);
});

it('names the place of each channel that has one', () => {
	const channels = ['telegram', 'slack', 'email'];
	expect(terms({ deadlineType: 'none', channels }).channels).toEqual(channels);
	expect(
		terms(
			{ deadlineType: 'none', channels },
			{
				telegramChatId: -100,
				telegramTopicId: 42,
				slackChannel: 'C1',
				mailTo: 'desk@example.com',
			},
		).channels,
	).toEqual([
		{ type: 'telegram', to: '-100', threadId: 42 },
		{ type: 'slack', to: 'C1' },
		{ type: 'email', to: 'desk@example.com' },
	]);
	for (const wrong of [[''], ['fax'], [null]])
		expect(() => terms({ deadlineType: 'none', channels: wrong })).toThrow('no channel');
});

it('a language is asked for only where one was chosen', () => {
	expect(terms({ deadlineType: 'none' }, { language: 'es' }).language).toBe('es');
	expect(terms({ deadlineType: 'none' }, { language: 'browser' })).not.toHaveProperty('language');
});
