/** What opening, deciding and the deadlines of gates must give, and what they make of the model. */
import {
	allGates,
	enterRun,
	iso,
	isRefusal,
	ok,
	refused,
	type Expected,
	type Gate,
	type Model,
	type Run,
} from './model';
import { resolveStep } from './report-rules';
import { act, cancelUnlessFinal } from './run-rules';
import type { Answer } from './world';

export interface OpenRequest {
	readonly runId: string;
	readonly gate: string;
	readonly input: object;
	readonly title: string;
	readonly message: string;
	readonly slot?: string;
	readonly approvers?: Array<{ name: string }>;
	readonly quorum?: number;
	readonly resumeUrl?: string;
	readonly deadline?: { readonly in: string };
	readonly onDeadline?: Gate['policy'];
	readonly rejection?: 'counts';
	readonly escalateTo?: {
		readonly approvers: Array<{ name: string }>;
		readonly in: string;
		readonly then: Exclude<Gate['policy'], 'escalate'>;
	};
}

const WORDS = {
	approval: ['approve', 'reject', 'changes'],
	in_doubt: ['happened', 'not_happened', 'stop'],
};

export function open(model: Model, request: OpenRequest, seen: Answer): Expected {
	const run = enterRun(model, request.runId);
	if (isRefusal(run)) return run;
	const ended = passDeadlines(model, run);
	if (ended) return ended;
	const known = run.gates.find(
		({ kind, request: first }) =>
			kind === 'approval' &&
			first.gate === request.gate &&
			JSON.stringify(first.input) === JSON.stringify(request.input),
	);
	if (known) {
		addWaiter(model, known, request.resumeUrl);
		return ok(shown(known));
	}
	const refusal = act(run);
	if (refusal) return refusal;
	const { gateId } = seen.body;
	for (const gate of run.gates)
		if (request.slot !== undefined && gate.request.slot === request.slot)
			if (settle(run, gate, model.now, 'cancelled', 'gate.superseded')) gate.supersededBy = gateId;
	const gate: Gate = {
		gateId,
		request,
		kind: 'approval',
		about: undefined,
		deadlineAt: request.deadline ? model.now + lengthOf(request.deadline.in) : null,
		policy: request.onDeadline ?? 'reject',
		voters: (request.approvers ?? []).map(({ name }) => name),
		state: 'open',
		voices: [],
		decision: null,
		supersededBy: undefined,
		waiters: [],
	};
	addWaiter(model, gate, request.resumeUrl);
	run.gates.push(gate);
	run.events.push(`gate.opened ${gateId}`);
	return { status: 201, body: shown(gate) };
}

function shown({ gateId, state, deadlineAt, decision, supersededBy }: Gate): object {
	const deadline = deadlineAt === null ? null : iso(deadlineAt);
	return { gateId, state, deadline, decision, ...(supersededBy && { supersededBy }) };
}

function addWaiter(model: Model, gate: Gate, url: string | undefined): void {
	if (url === undefined || gate.waiters.some((waiter) => waiter.url === url)) return;
	const final = gate.state !== 'open';
	gate.waiters.push({
		url,
		state: final ? 'pending' : 'waiting',
		dueAt: final ? model.now : undefined,
	});
}

export function decide(model: Model, gateId: string, by: string, decision: string): Expected {
	const found = allGates(model).find(({ gate }) => gate.gateId === gateId);
	if (!found) return refused('not_found');
	const { run, gate } = found;
	passDeadlines(model, run);
	if (gate.state !== 'open') return refused('gate_closed', decidedAs(gate));
	if (!WORDS[gate.kind].includes(decision)) return refused('invalid_request');
	// A later word of the same person stands where the earlier one stood.
	const spoken = gate.voices.some((voice) => voice.by === by);
	gate.voices = spoken
		? gate.voices.map((voice) => (voice.by === by ? { by, decision } : voice))
		: [...gate.voices, { by, decision }];
	const approvals = gate.voices.filter((voice) => voice.decision === 'approve').length;
	const rejections = gate.voices.filter((voice) => voice.decision === 'reject').length;
	const silent = gate.voters.filter((name) =>
		gate.voices.every((voice) => voice.by !== name),
	).length;
	const counts = gate.request.rejection === 'counts';
	const needed = gate.request.quorum ?? 1;
	const settled = { decision, by, via: 'api' };
	if (gate.kind === 'in_doubt') {
		answerQuestion(model, run, gate, decision);
		const state = decision === 'happened' ? 'approved' : 'rejected';
		settle(run, gate, model.now, state, 'gate.decided', settled);
	} else if (decision === 'changes' || (decision === 'reject' && !counts))
		settle(run, gate, model.now, 'rejected', 'gate.decided', settled);
	else if (approvals >= needed) settle(run, gate, model.now, 'approved', 'gate.decided', settled);
	else if (rejections > 0 && approvals + silent < needed)
		settle(run, gate, model.now, 'rejected', 'gate.decided', settled);
	else run.events.push(`gate.voice ${gateId}`);
	return ok(shown(gate));
}

/** A decision that nobody took is left out of a refusal. */
const decidedAs = ({ decision }: Gate) => (decision ? { decision } : {});

function answerQuestion(model: Model, run: Run, gate: Gate, answer: string): void {
	const step = [...run.steps.values()].find(({ key }) => key === gate.about)!;
	const as = { happened: 'completed', not_happened: 'retry' } as const;
	const resolution = as[answer as keyof typeof as] ?? 'failed';
	resolveStep(model, run, step, { as: resolution, result: null }, true);
}

/** Deadlines that passed settle their gates, the most overdue first. */
export function fireTimers(model: Model): void {
	for (const run of model.runs.values()) passDeadlines(model, run);
}

/**
 * A deadline decides when it passes, whoever looks first, and before those that pass later.
 * @returns a refusal when one of them has cancelled the run
 */
export function passDeadlines(model: Model, run: Run): Expected | undefined {
	const order = ({ deadlineAt }: Gate) => deadlineAt ?? Infinity;
	for (const gate of run.gates.toSorted((a, b) => order(a) - order(b)))
		settleByDeadline(model, run, gate);
	return run.state === 'cancelled' ? refused('run_cancelled') : undefined;
}

/** Whether a timer stands for the gate. */
export const hasTimer = ({ state, deadlineAt, policy }: Gate) =>
	state === 'open' && deadlineAt !== null && policy !== 'wait';

const lengthOf = (duration: string) => Number(/^PT(\d+)S$/.exec(duration)![1]) * 1000;

function settleByDeadline(model: Model, run: Run, gate: Gate): void {
	if (!hasTimer(gate) || gate.deadlineAt! > model.now) return;
	const { policy } = gate;
	if (policy === 'escalate') return passOn(model, run, gate);
	const [state, decision] =
		policy === 'approve' ? (['approved', 'approve'] as const) : (['expired', 'reject'] as const);
	const by = { decision, by: 'deadline', via: 'deadline' };
	settle(run, gate, model.now, state, 'gate.decided', by);
	if (policy === 'abort') cancelUnlessFinal(model, run);
}

/** Others decide, in a time that counts from when they are asked. */
function passOn(model: Model, run: Run, gate: Gate): void {
	const { approvers, in: within, then } = (gate.request as OpenRequest).escalateTo!;
	gate.deadlineAt = model.now + lengthOf(within);
	gate.policy = then;
	gate.voters = approvers.map(({ name }) => name);
	run.events.push(`gate.escalated ${gate.gateId}`);
}

export function cancelGate(run: Run, gate: Gate, now: number): void {
	settle(run, gate, now, 'cancelled', 'gate.cancelled');
}

/** Final once: whoever waits is to be woken. @returns false when it was final already */
function settle(
	run: Run,
	gate: Gate,
	now: number,
	state: Exclude<Gate['state'], 'open'>,
	event: string,
	decision: Gate['decision'] = null,
): boolean {
	if (gate.state !== 'open') return false;
	Object.assign(gate, { state, decision });
	for (const waiter of gate.waiters) Object.assign(waiter, { state: 'pending', dueAt: now });
	run.events.push(`${event} ${gate.gateId}`);
	return true;
}

/**
 * One execution is told, if one is due, and none that has heard.
 * @param told which, as `gateId url`
 */
export function wakeUp(model: Model, told: string | undefined, heard: boolean): void {
	const pending = allGates(model).flatMap(({ gate }) =>
		gate.waiters
			.filter(({ state }) => state === 'pending')
			.map((waiter) => ({ name: `${gate.gateId} ${waiter.url}`, waiter })),
	);
	if (told === undefined) {
		const due = pending.filter(({ waiter }) => (waiter.dueAt ?? Infinity) <= model.now);
		expect(due).toEqual([]);
		return;
	}
	const found = pending.find(({ name }) => name === told);
	expect(found).toBeDefined();
	Object.assign(found!.waiter, { dueAt: undefined, ...(heard && { state: 'done' }) });
}

/** A new process wakes at once whoever the last one had in hand. */
export function restart(model: Model): void {
	for (const { gate } of allGates(model))
		for (const waiter of gate.waiters)
			if (waiter.state === 'pending') waiter.dueAt = Math.min(waiter.dueAt ?? model.now, model.now);
}
