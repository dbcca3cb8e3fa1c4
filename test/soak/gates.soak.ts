/** A hundred thousand open gates: memory stays flat, deadlines are kept, and a start is quick. */
import { readFileSync } from 'node:fs';
import { postgresCrashStore, sqliteCrashStore } from '../crash/crash-store';
import { startJournal, type Journal } from '../journal-process';
import { waitUntil } from '../wait-until';
import { onPostgres } from '../store-under-test';
import { STORE, TEST_TIMEOUT_MS } from './rounds';

const OPEN_GATES = Number(process.env.SOAK_GATES ?? 100_000);
const AT_ONCE = 16;
/** Gates whose deadlines pass one after the other while all others are open. */
const DUE = 600;
const DUE_WITHIN_MS = 15_000;
const FIRST_DUE_IN_MS = 8_000;

const MAX_LATE_MS = 1_000;
const MAX_START_MS = 2_000;
/** Of what the process holds with a fifth of the gates. */
const MAX_GROWTH = 1.25;

const residentMb = ({ pid }: Journal) =>
	Math.round(
		Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024,
	);

/** Opens gates of as many runs, several at once. */
async function openGates(
	journal: Journal,
	from: number,
	to: number,
	members: (index: number) => object,
): Promise<void> {
	let next = from;
	const opener = async () => {
		while (next < to) {
			const index = next++;
			const { status } = await journal.request('POST', '/v1/gates', {
				runId: `order-${index}`,
				gate: 'release',
				input: { amount: index },
				title: `Release order ${index}?`,
				message: 'The invoice is attached.',
				resumeUrl: `http://127.0.0.1:9/webhook-waiting/${index}/durable-gate?signature=s${index}`,
				...members(index),
			});
			expect(status).toBe(201);
		}
	};
	await Promise.all(Array.from({ length: AT_ONCE }, opener));
}

/** How long after its deadline each of these gates was decided, ms. */
async function lateness(journal: Journal, from: number, to: number): Promise<number[]> {
	const late: number[] = [];
	for (let index = from; index < to; index++) {
		const gate = await waitUntil(
			`gate ${index} to expire`,
			async () => {
				const { body } = await journal.request('GET', `/v1/gates?runId=order-${index}`);
				const [found] = body.items;
				return found?.state === 'expired' && found;
			},
			{ timeoutMs: 60_000 },
		);
		late.push(Date.parse(gate.decision.at) - Date.parse(gate.deadline));
	}
	return late;
}

const deadlineAt = (start: number, index: number) => start + (index * DUE_WITHIN_MS) / DUE;
const deadlineFrom = (start: number) => (index: number) => ({
	deadline: { on: new Date(deadlineAt(start, index % DUE)).toISOString() },
});

test(
	`${OPEN_GATES} gates are open`,
	async () => {
		const store = onPostgres() ? await postgresCrashStore() : sqliteCrashStore();
		const journal = await startJournal({ database: store.address });
		const say = (text: string) => process.stderr.write(`gates on ${STORE}: ${text}\n`);
		try {
			const begun = Date.now();
			const far = () => ({ deadline: { in: 'P30D' }, reminders: ['50%'] });
			await openGates(journal, 0, OPEN_GATES / 5, far);
			const fifth = residentMb(journal);
			await openGates(journal, OPEN_GATES / 5, OPEN_GATES, far);
			const all = residentMb(journal);
			const rate = Math.round((OPEN_GATES / (Date.now() - begun)) * 1000);
			say(`opened at ${rate} a second; memory ${fifth} MB at a fifth, ${all} MB at all`);

			const due = OPEN_GATES + DUE;
			await openGates(journal, OPEN_GATES, due, deadlineFrom(Date.now() + FIRST_DUE_IN_MS));
			const late = await lateness(journal, OPEN_GATES, due);
			say(`${DUE} deadlines in ${DUE_WITHIN_MS / 1000} s: at most ${Math.max(...late)} ms late`);

			const start = Date.now() + FIRST_DUE_IN_MS;
			await openGates(journal, due, due + DUE, deadlineFrom(start));
			await journal.kill();
			await waitUntil(
				'the deadlines to pass while it is down',
				() => Date.now() > start + DUE_WITHIN_MS,
				{
					timeoutMs: 60_000,
				},
			);
			const before = Date.now();
			await journal.restart();
			const ready = Date.now();
			const overdue = await lateness(journal, due, due + DUE);
			const afterStart =
				Math.max(...overdue.map((ms, index) => deadlineAt(start, index) + ms)) - before;
			say(
				`start ${ready - before} ms; what fell due meanwhile was decided ${afterStart} ms after it began`,
			);

			expect(all / fifth).toBeLessThan(MAX_GROWTH);
			expect(Math.max(...late)).toBeLessThan(MAX_LATE_MS);
			expect(ready - before).toBeLessThan(MAX_START_MS);
			expect(afterStart).toBeLessThan(MAX_START_MS + MAX_LATE_MS);
		} finally {
			await journal.stop();
			await store.remove();
		}
	},
	TEST_TIMEOUT_MS,
);
