import { endedExecution } from '../../../service/n8n/ended-execution';

const said = (status: string, workflowId = 'w') =>
	endedExecution(
		async () => ({ status, workflowId }),
		() => 0,
	);

test.each(['crashed', 'error', 'canceled'])('%s: it has ended without success', async (status) =>
	expect(await said(status)('7', 'w')).toBe(status),
);

test.each(['running', 'waiting', 'new', 'unknown', 'success', 'a word of a later n8n'])(
	'%s: nothing follows',
	async (status) => expect(await said(status)('7', 'w')).toBeUndefined(),
);

test('n8n cannot be asked, or does not know it: nothing follows', async () => {
	expect(
		await endedExecution(
			async () => undefined,
			() => 0,
		)('7', 'w'),
	).toBeUndefined();
});

test('an execution of another workflow is one of another n8n', async () => {
	expect(await said('crashed', 'other')('7', 'w')).toBeUndefined();
	expect(await said('crashed', 'other')('7', undefined)).toBe('crashed');
});

test('n8n is asked once a second about an execution, however many want to know', async () => {
	let now = 0;
	const asked: string[] = [];
	const ended = endedExecution(
		async (id) => {
			asked.push(id);
			return { status: 'crashed', workflowId: 'w' };
		},
		() => now,
	);
	await Promise.all([ended('7', 'w'), ended('7', 'w'), ended('8', 'w')]);
	now = 999;
	await ended('7', 'w');
	expect(asked).toEqual(['7', '8']);
	now = 1_000;
	await ended('7', 'w');
	expect(asked).toEqual(['7', '8', '7']);
});
