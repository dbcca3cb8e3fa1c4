import { readAudit } from '../audit-chain';
import { hasTimer } from './gate-rules';
import { allGates, iso, shownState, type Gate, type Model, type Run, type Step } from './model';
import type { World } from './world';

/** What must hold after every command: reads show what was answered, and nothing is left over. */
export async function checkInvariants(model: Model, world: World): Promise<void> {
	for (const run of model.runs.values()) {
		await checkAudit(run, world);
		await checkRun(model, run, world);
	}
	await checkTables(model, world);
}

/** Every fact is there, once, in an unbroken chain; also of an erased run. */
async function checkAudit(run: Run, world: World): Promise<void> {
	const { body } = await world.call('GET', `/v1/audit?runId=${run.runId}`);
	const events = readAudit(body).map(({ type, subject = '' }) => `${type} ${subject}`);
	// In order for each subject: leases that end in one moment have no order among them.
	expect(bySubject(events)).toEqual(bySubject(run.events));
}

const bySubject = (events: string[]) => Object.groupBy(events, (event) => event.split(' ')[1]!);

async function checkRun(model: Model, run: Run, world: World): Promise<void> {
	const { status, body } = await world.call('GET', `/v1/runs/${run.runId}`);
	if (run.state === 'erased') {
		expect(status).toBe(404);
		return;
	}
	expect(body).toMatchObject({
		state: run.state,
		...(run.result && { result: run.result.value }),
		steps: [...run.steps.values()].map((step) => shownStep(step, model.now)),
		gates: run.gates.map(shownGate),
	});
	for (const { key, result } of run.steps.values())
		if (result) {
			const step = await world.call('GET', `/v1/steps/${key}`);
			expect(step.body.result).toEqual(result.value);
		}
}

function shownStep(step: Step, now: number): object {
	const { key, attempt, nextAttemptAt } = step;
	return {
		key,
		step: step.step,
		state: shownState(step, now),
		attempt,
		...(nextAttemptAt !== undefined && { nextAttemptAt: iso(nextAttemptAt) }),
		...(step.lookError !== undefined && { lookError: { message: step.lookError.message } }),
		...(step.error !== undefined && { error: { message: step.error } }),
	};
}

function shownGate(gate: Gate): object {
	const wakes = gate.waiters.filter(({ state }) => state !== 'waiting');
	return {
		gateId: gate.gateId,
		kind: gate.kind,
		state: gate.state,
		decision: gate.decision,
		decisions: gate.voices,
		wakes: wakes.map(({ state }) => ({ state })),
		...(gate.supersededBy !== undefined && { supersededBy: gate.supersededBy }),
	};
}

/** What no answer shows: exactly the timers that are owed, and nothing that belongs to nobody. */
async function checkTables(model: Model, world: World): Promise<void> {
	const orphans = (table: string, column: string, owner: string) =>
		`SELECT count(*) AS n FROM ${table} WHERE ${column} NOT IN (SELECT id FROM ${owner})`;
	// A deposit that a crash left behind is removed by its age.
	const payloads = `SELECT count(*) AS n FROM payloads WHERE deposited_at IS NULL AND id NOT IN (
		SELECT input_ref FROM steps WHERE input_ref IS NOT NULL
		UNION SELECT result_ref FROM steps WHERE result_ref IS NOT NULL
		UNION SELECT request_ref FROM gates WHERE request_ref IS NOT NULL
		UNION SELECT input_ref FROM gates WHERE input_ref IS NOT NULL)`;
	const [timers, ...counts] = await world.journal.database.read(async (queries) => [
		await queries.all('SELECT subject, due_at FROM timers ORDER BY subject'),
		await queries.get(payloads),
		await queries.get(orphans('payload_pieces', 'payload_ref', 'payloads')),
		await queries.get(orphans('steps', 'run_ref', 'runs')),
		await queries.get(orphans('slots', 'run_ref', 'runs')),
		await queries.get(orphans('guards', 'run_ref', 'runs')),
		await queries.get(
			'SELECT count(*) AS n FROM slots WHERE step_key NOT IN (SELECT key FROM steps)',
		),
		await queries.get(orphans('gates', 'run_ref', 'runs')),
		await queries.get(orphans('gate_waiters', 'gate_ref', 'gates')),
		await queries.get(orphans('gate_decisions', 'gate_ref', 'gates')),
	]);
	const owed = allGates(model).filter(({ gate }) => hasTimer(gate));
	expect(timers).toEqual(
		owed
			.map(({ gate }) => ({ subject: gate.gateId, due_at: gate.deadlineAt }))
			.toSorted((a, b) => (a.subject < b.subject ? -1 : 1)),
	);
	expect(counts).toEqual(counts.map(() => ({ n: 0 })));
}
