/** How runs end, are taken up again and vanish. */
import { cancelGate, passDeadlines } from './gate-rules';
import {
	findOrBeginRun,
	isRefusal,
	ok,
	refused,
	type Expected,
	type Model,
	type Run,
} from './model';

export type RunEnd = 'completed' | 'failed' | 'dead';

/** A failed run is taken up again by whoever acts in it; a completed or dead one is not. */
export function act(run: Run): Expected | undefined {
	if (run.state === 'completed' || run.state === 'dead') return refused('run_settled');
	if (run.state === 'failed') takeUp(run);
	return undefined;
}

/** Who lets a step go on lets its run go on, unless that has ended for good. */
export function takeUpUnlessFinal(run: Run): void {
	if (run.state === 'failed' || run.state === 'dead') takeUp(run);
}

function takeUp(run: Run): void {
	run.state = 'active';
	run.events.push('run.reopened ');
}

export function settleRun(model: Model, runId: string, as: RunEnd, result: unknown): Expected {
	const run = find(model, runId);
	if (isRefusal(run)) return run;
	passDeadlines(model, run);
	const same = JSON.stringify(run.result?.value) === JSON.stringify(result);
	if (run.state === as) return same ? ok({ runId, state: as }) : refused('result_conflict');
	if (run.state === 'cancelled') return refused('run_cancelled');
	// That somebody failed does not undo that somebody gave up.
	if (run.state === 'completed' || (run.state === 'dead' && as === 'failed'))
		return refused('run_settled');
	run.state = as;
	run.events.push(`run.${as} `);
	if (as === 'completed') {
		run.result = { value: result };
		for (const gate of run.gates) cancelGate(run, gate, model.now);
	}
	return ok({ runId, state: as });
}

export function reopenRun(model: Model, runId: string): Expected {
	const run = find(model, runId);
	if (isRefusal(run)) return run;
	if (passDeadlines(model, run)) return refused('run_cancelled');
	if (run.state === 'completed') return refused('run_settled');
	takeUpUnlessFinal(run);
	return ok({ runId, state: 'active' });
}

export function cancelRun(model: Model, runId: string): Expected {
	const run = findOrBeginRun(model, runId);
	if (isRefusal(run)) return run;
	if (run.state === 'completed') return refused('run_settled');
	passDeadlines(model, run);
	cancelUnlessFinal(model, run);
	return ok({ runId, state: 'cancelled' });
}

export function cancelUnlessFinal(model: Model, run: Run): void {
	if (run.state === 'cancelled' || run.state === 'completed') return;
	run.state = 'cancelled';
	run.events.push('run.cancelled ');
	for (const gate of run.gates) cancelGate(run, gate, model.now);
}

export function eraseRun(model: Model, runId: string): Expected {
	const run = model.runs.get(runId);
	if (!run || run.state === 'erased') return refused('not_found');
	passDeadlines(model, run);
	const awaited = run.gates.some(
		({ state, waiters }) =>
			state === 'open' || waiters.some((waiter) => waiter.state === 'pending'),
	);
	if (awaited) return refused('run_awaited');
	run.events.push('run.erased ');
	Object.assign(run, { state: 'erased', steps: new Map(), slots: new Map(), gates: [] });
	return { status: 204 };
}

function find(model: Model, runId: string): Run | Expected {
	const run = model.runs.get(runId);
	if (!run) return refused('not_found');
	return run.state === 'erased' ? refused('run_erased') : run;
}
