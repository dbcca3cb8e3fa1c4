/** What is written of a step or gate is fenced in the store itself, whatever its caller has judged. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { claimStep } from '../../../service/journal/claim-step';
import { openGate } from '../../../service/journal/open-gate';
import type { Queries } from '../../../service/store/database';
import { findGate, settleGateRow } from '../../../service/store/gates';
import { beginLook, endLook } from '../../../service/store/looks';
import {
	extendLease,
	findStep,
	reclaimStep,
	settleStep,
	type JudgedStep,
	type StepRow,
} from '../../../service/store/steps';
import { fakeJournal, type FakeJournal } from '../../fake-journal';

let fake: FakeJournal;
beforeEach(() => {
	fake = fakeJournal();
});
afterEach(async () => await fake.close());

const CLAIM = {
	claimId: 'c',
	leaseExpiresAt: 1,
	maxAttempts: 1,
	maxElapsedMs: 1,
	executionId: undefined,
	metaJson: null,
};
const WRITES: Array<[string, (queries: Queries, step: JudgedStep) => Promise<void>]> = [
	[
		'settling',
		async (queries, step) => await settleStep(queries, step, { state: 'failed', by: 'clock' }),
	],
	['claiming anew', async (queries, step) => await reclaimStep(queries, step, 2, CLAIM, true)],
	['renewing', async (queries, step) => await extendLease(queries, step, 1)],
	[
		'looking',
		async (queries, step) => beginLook(queries, step, { token: 2, until: 1, claimId: 'c' }),
	],
	['ending a look', async (queries, step) => endLook(queries, step, '{}')],
];
const STALE: Array<[string, (step: StepRow) => JudgedStep]> = [
	['an older token', (step) => ({ ...step, fencing_token: step.fencing_token - 1 })],
	['a newer token', (step) => ({ ...step, fencing_token: step.fencing_token + 1 })],
	['another state', (step) => ({ ...step, state: 'in_doubt' })],
];

describe.each(WRITES)('%s', (_, write) => {
	async function claimedStep(): Promise<StepRow> {
		const { key } = await claimStep(fake.journal, { runId: 'r', step: 's', input: 1 });
		return (await stepOf(key))!;
	}
	const stepOf = async (key: string) =>
		await fake.journal.database.read(async (queries) => await findStep(queries, 'default', key));

	test('as it was judged: it is written', async () => {
		const step = await claimedStep();
		await fake.journal.database.write([{ stepKey: step.key }], async (queries) => {
			await write(queries, step);
		});
		expect(await stepOf(step.key)).not.toEqual(step);
	});

	test.each(STALE)('%s: the transaction fails, and nothing is written', async (_stale, judged) => {
		const step = await claimedStep();
		const writing = fake.journal.database.write([{ stepKey: step.key }], async (queries) => {
			await write(queries, judged(step));
		});
		await expect(writing).rejects.toThrow(/^A statement touched /);
		expect(await stepOf(step.key)).toEqual(step);
	});
});

test('a final gate: the transaction fails, and its decision stands', async () => {
	const { answer } = await openGate(fake.journal, {
		runId: 'r',
		gate: 'g',
		input: 1,
		title: 't',
		message: '',
	});
	const settle = async (state: 'approved' | 'rejected') =>
		await fake.journal.database.write([{ gateId: answer.gateId }], async (queries) => {
			const gate = (await findGate(queries, 'default', answer.gateId))!;
			await settleGateRow(queries, gate.id, { state });
		});
	await settle('approved');
	await expect(settle('rejected')).rejects.toThrow(/^A statement touched /);
	const gate = await fake.journal.database.read(
		async (queries) => await findGate(queries, 'default', answer.gateId),
	);
	expect(gate?.state).toBe('approved');
});

/** Otherwise the next statement that changes steps could forget it, and every test would still pass. */
test('every statement that changes steps is fenced by token and state', () => {
	const store = join(__dirname, '../../../service/store');
	const sources = readdirSync(store, { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.ts'))
		.map((name) => readFileSync(join(store, name), 'utf8'));
	const updates = sources.flatMap((text) => text.match(/UPDATE steps SET[^`]*`/g) ?? []);
	expect(updates).toHaveLength(WRITES.length);
	for (const update of updates) expect(update).toMatch(/\$\{AS_JUDGED\}`$/);
});
