/** The gates that ask people whether the effect of a step in doubt happened. */
import { cancelGate } from './gate-rules';
import type { Run, Step } from './model';

/** People must be able to answer: the gate that a caller is referred to is open. */
export function ask(run: Run, step: Step, gateId: string): void {
	const open = run.gates.find(({ about, state }) => about === step.key && state === 'open');
	if (open) {
		expect(gateId).toBe(open.gateId);
		return;
	}
	expect(gateId).toMatch(/^[0-9a-f]{64}$/);
	expect(run.gates.map((gate) => gate.gateId)).not.toContain(gateId);
	run.gates.push({
		gateId,
		request: {},
		kind: 'in_doubt',
		about: step.key,
		deadlineAt: null,
		policy: 'wait',
		voters: [],
		state: 'open',
		voices: [],
		decision: null,
		supersededBy: undefined,
		waiters: [],
	});
	run.events.push(`gate.opened ${gateId}`);
}

/** The step was settled without its question, which closes unanswered. */
export function cancelQuestion(run: Run, step: Step, now: number): void {
	const gate = run.gates.find(({ about, state }) => about === step.key && state === 'open');
	if (gate) cancelGate(run, gate, now);
}
