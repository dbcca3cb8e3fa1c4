/** Acknowledged means durable: `kill -9` of the journal under load loses nothing that was answered. */
import { AUDIT_GENESIS, auditHash } from '../../service/domain/audit-chain';
import { startJournal, type Journal } from '../journal-process';

jest.setTimeout(60_000);

const CALLERS = 16;
const KILL_AFTER = [50, 200, 400];

let journal: Journal;
beforeAll(async () => {
	journal = await startJournal();
});
afterAll(async () => await journal?.stop());

interface Seen {
	/** step → key of every claim that was answered */
	claimed: Map<string, string>;
	/** step → result of every complete that was answered */
	completed: Map<string, number>;
}

/** Claims and completes until the journal dies, which `kill` brings about after so many answers. */
async function work(runId: string, killAfter: number): Promise<Seen> {
	const seen: Seen = { claimed: new Map(), completed: new Map() };
	let next = 0;
	let killing: Promise<void> | undefined;
	const caller = async () => {
		for (;;) {
			const result = next++;
			const step = `step-${result}`;
			const claim = await journal.request('POST', '/v1/steps/claim', {
				runId,
				step,
				input: result,
			});
			seen.claimed.set(step, claim.body.key);
			const { key, fencingToken } = claim.body;
			await journal.request('POST', `/v1/steps/${key}/complete`, { fencingToken, result });
			seen.completed.set(step, result);
			if (seen.completed.size === killAfter) killing ??= journal.kill('SIGKILL');
		}
	};
	// Each caller ends with the connection that breaks under it.
	await Promise.allSettled(Array.from({ length: CALLERS }, caller));
	await killing;
	return seen;
}

test.each(KILL_AFTER)('killed after %i answers', async (killAfter) => {
	const runId = `killed-after-${killAfter}`;
	const seen = await work(runId, killAfter);
	await journal.restart();
	expect(seen.completed.size).toBeGreaterThanOrEqual(killAfter);
	for (const [step, result] of seen.completed) {
		const { body } = await journal.request('POST', '/v1/steps/claim', {
			runId,
			step,
			input: result,
		});
		expect([step, body.outcome, body.result]).toEqual([step, 'replay', result]);
	}
	for (const [step, key] of seen.claimed) {
		if (seen.completed.has(step)) continue;
		// Its complete may have been committed without an answer; it is never free to run again.
		const { body } = await journal.request('GET', `/v1/steps/${key}`);
		expect(['claimed', 'completed']).toContain(body.state);
	}

	const { body } = await journal.admin('GET', `/v1/audit?runId=${runId}`);
	let previous = AUDIT_GENESIS;
	for (const [index, line] of String(body).trim().split('\n').entries()) {
		const { seq, at, type, subject, data, hash } = JSON.parse(line);
		expect(seq).toBe(index + 1);
		expect(hash).toBe(auditHash(previous, { seq, at: Date.parse(at), type, subject, data }));
		previous = hash;
	}
});
