import type { Decision, Gate } from '../../../service/contract/gates';

export const GATE_ID = 'a'.repeat(64);

export const decision = (facts: Partial<Decision> = {}): Decision => ({
	decision: 'approve',
	by: 'Operator',
	via: 'inbox',
	at: '2027-06-01T09:00:05.250Z',
	shownSha256: 'b'.repeat(64),
	...facts,
});

/** A gate as the journal answers it; open unless told otherwise. */
export const gate = (facts: Partial<Gate> = {}): Gate => ({
	gateId: GATE_ID,
	runId: 'r',
	gate: 'g',
	kind: 'approval',
	state: 'open',
	title: 'Send it?',
	message: '',
	openedAt: '2027-06-01T09:00:00.000Z',
	deadline: null,
	decision: null,
	decisions: [],
	wakes: [],
	wake: null,
	quorum: 1,
	...facts,
});
