/** What the API shows of a run, reduced to what a kill may not halve. */
import { readAudit } from '../audit-chain';
import type { HttpAnswer } from '../http-request';

export interface RunSnapshot {
	readonly run: 'absent' | 'active' | 'cancelled' | 'erased';
	/** By step name: state, and the result where there is one. */
	readonly steps: Record<string, string>;
	/** By gate name. */
	readonly gates: Record<string, string>;
}

export const ABSENT: RunSnapshot = { run: 'absent', steps: {}, gates: {} };

type Ask = (method: string, path: string) => Promise<HttpAnswer>;

/**
 * Reads a run, and checks that its audit tells the same: each state has its event and each event its
 * state, numbered and hashed without a gap.
 */
export async function readSnapshot(ask: Ask, runId: string): Promise<RunSnapshot> {
	const audit = await ask('GET', `/v1/audit?runId=${runId}`);
	const { status, body: run } = await ask('GET', `/v1/runs/${runId}`);
	if (audit.status === 404) {
		expect(status).toBe(404);
		return ABSENT;
	}
	const events = readAudit(String(audit.body));
	if (status === 404) {
		expect(events.at(-1)?.type).toBe('run.erased');
		return { run: 'erased', steps: {}, gates: {} };
	}
	expect(status).toBe(200);
	expect(events[0]?.type).toBe('run.started');
	expect(events.some(({ type }) => type === 'run.cancelled')).toBe(run.state === 'cancelled');
	const told = new Map<string, string>();
	for (const { type, subject, data } of events) {
		const state = stateAfter(type, data);
		if (subject !== undefined && state !== undefined) told.set(subject, state);
	}
	const shown = new Map<string, string>();
	for (const { key, state } of run.steps) shown.set(key, state);
	for (const { gateId, state } of run.gates) shown.set(gateId, state);
	// A lease that ran out is shown as doubt before the journal writes it down.
	for (const [subject, state] of told)
		if (state === 'claimed' && shown.get(subject) === 'in_doubt') told.set(subject, 'in_doubt');
	expect(shown).toEqual(told);
	return {
		run: run.state,
		steps: Object.fromEntries(
			await Promise.all(run.steps.map((step: any) => shownStep(ask, step))),
		),
		gates: Object.fromEntries(run.gates.map(({ gate, state }: any) => [gate, state])),
	};
}

function stateAfter(type: string, data: Record<string, string | number>): string | undefined {
	const [subject, event] = type.split('.') as [string, string];
	if (subject === 'step') return event;
	if (event === 'opened') return 'open';
	if (event === 'decided') return String(data.state);
	return event === 'cancelled' || event === 'superseded' ? 'cancelled' : undefined;
}

async function shownStep(ask: Ask, { step, key, state }: any): Promise<[string, string]> {
	if (state !== 'completed') return [step, state];
	const { body } = await ask('GET', `/v1/steps/${key}`);
	return [step, `completed ${JSON.stringify(body.result)}`];
}
