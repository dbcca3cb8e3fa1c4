/** One client of the journal: what it asks for, what it was promised, and what it does not know. */
import { randomUUID } from 'node:crypto';
import type { HttpAnswer } from '../http-request';
import { ABSENT, type RunSnapshot } from './run-snapshot';

type Ask = (method: string, path: string, body?: object) => Promise<HttpAnswer>;

/** A run as its caller knows it. */
export interface KnownRun {
	readonly runId: string;
	/** What was answered. */
	now: RunSnapshot;
	/** A request without an answer: the run is as before or as after it, and nothing between. */
	pending: { after: RunSnapshot; ask: () => Promise<void> } | undefined;
}

/** Steps that all callers want at the same time. */
export interface SharedSteps {
	readonly runId: string;
	/** By step: the claims that were told to execute it. */
	readonly executed: Map<string, Set<string>>;
}

/** From which on a body is read in a thread, and its result written in pieces before the step is. */
const LARGE = 300_000;
/** Longer than any campaign. */
const LONG_LEASE_MS = 86_400_000;
/** The lease of steps that nobody completes. */
const SHORT_LEASE_MS = 150;

export class Caller {
	readonly runs: KnownRun[] = [];

	/** @param ask throws when there is no whole answer; may be another process after a crash */
	constructor(
		readonly name: string,
		readonly ask: Ask,
		readonly shared: SharedSteps,
	) {}

	/**
	 * Works on one new run after the other, until an answer fails to come.
	 * @param goesOn asked before each run
	 * @returns whether an answer failed to come
	 */
	async work(goesOn: (runs: number) => boolean): Promise<boolean> {
		const kinds = [
			this.#share,
			this.#complete,
			this.#fail,
			this.#many,
			this.#decide,
			this.#supersede,
			this.#cancel,
			this.#erase,
			this.#large,
			this.#forget,
		];
		for (let index = 0; goesOn(index); index++) {
			const run = { runId: `${this.name}-${index}`, now: ABSENT, pending: undefined };
			this.runs.push(run);
			try {
				await kinds[(index + this.name.length) % kinds.length]!.call(this, run, index);
			} catch (error) {
				if ((run as KnownRun).pending && isBroken(error)) return true;
				throw error;
			}
		}
		return false;
	}

	async #complete(run: KnownRun, result: unknown): Promise<void> {
		const claimed = await this.#claim(run, 'a');
		await this.#step(run, claimed, 'complete', { result }, `completed ${JSON.stringify(result)}`);
	}

	async #large(run: KnownRun, index: number): Promise<void> {
		await this.#complete(run, `${index}`.repeat(LARGE));
	}

	/** Its own run is never begun; what is asked for belongs to everybody. */
	async #share(run: KnownRun, index: number): Promise<void> {
		const step = `s${index}`;
		const claimId = randomUUID();
		const body = { runId: this.shared.runId, step, input: null, claimId, leaseMs: LONG_LEASE_MS };
		const learn = ({ body: { outcome } }: HttpAnswer) => {
			const executed = this.shared.executed.get(step) ?? new Set();
			this.shared.executed.set(step, outcome === 'execute' ? executed.add(claimId) : executed);
		};
		await this.#do(run, ABSENT, 'POST', '/v1/steps/claim', body, [200, 409], learn);
	}

	async #fail(run: KnownRun, index: number): Promise<void> {
		const [verdict, state] = [
			['terminal', 'failed'],
			['retryable', 'waiting_retry'],
			['in_doubt', 'in_doubt'],
		][index % 3]!;
		const claimed = await this.#claim(run, 'a');
		const report = { error: { message: 'no' }, verdict, retryAfterMs: 3_600_000 };
		await this.#step(run, claimed, 'fail', report, state!);
	}

	async #many(run: KnownRun, index: number): Promise<void> {
		const names = ['a', 'b', 'c', 'd'];
		const steps = names.map((step) => ({
			runId: run.runId,
			step,
			input: index,
			claimId: randomUUID(),
			leaseMs: LONG_LEASE_MS,
		}));
		const all = (state: string) => Object.fromEntries(names.map((name) => [name, state]));
		const after: RunSnapshot = { run: 'active', steps: all('claimed'), gates: {} };
		const { body } = await this.#do(run, after, 'POST', '/v1/steps/claim-many', { steps });
		for (const { body: claimed } of body.results) expect(claimed.outcome).toBe('execute');
		const results = body.results.map(({ body: { key, fencingToken } }: any) => ({
			key,
			fencingToken,
			result: index,
		}));
		const done = { ...after, steps: all(`completed ${index}`) };
		await this.#do(run, done, 'POST', '/v1/steps/complete-many', { steps: results });
	}

	async #decide(run: KnownRun, index: number): Promise<void> {
		const gateId = await this.#open(run, 'g', { deadline: { in: 'PT24H' } });
		const [decision, state] = index % 2 ? ['approve', 'approved'] : ['reject', 'rejected'];
		const after = { ...run.now, gates: { g: state! } };
		// Asked again, a gate says which decision stands.
		const accepts = [200, 409];
		const body = { decision, by: this.name };
		const path = `/v1/gates/${gateId}/decide`;
		const answer = await this.#do(run, after, 'POST', path, body, accepts);
		expect(answer.body.decision).toMatchObject(body);
	}

	async #supersede(run: KnownRun): Promise<void> {
		await this.#open(run, 'g', { slot: 'w/n#0.0', deadline: { in: 'PT24H' } });
		const gates = { g: 'cancelled' };
		await this.#open(run, 'h', { slot: 'w/n#0.0', deadline: { in: 'PT48H' } }, gates);
	}

	async #cancel(run: KnownRun): Promise<void> {
		await this.#claim(run, 'a');
		await this.#open(run, 'g', { deadline: { in: 'PT24H' } });
		const after: RunSnapshot = { ...run.now, run: 'cancelled', gates: { g: 'cancelled' } };
		const body = { reason: 'test', by: this.name };
		await this.#do(run, after, 'POST', `/v1/runs/${run.runId}/cancel`, body);
	}

	async #erase(run: KnownRun, index: number): Promise<void> {
		await this.#complete(run, index);
		const after: RunSnapshot = { run: 'erased', steps: {}, gates: {} };
		await this.#do(run, after, 'DELETE', `/v1/runs/${run.runId}`, undefined, [204, 404]);
	}

	/** Nobody completes it: it must come to be in doubt, never free to run again. */
	async #forget(run: KnownRun): Promise<void> {
		await this.#claim(run, 'short', SHORT_LEASE_MS);
	}

	async #claim(run: KnownRun, step: string, leaseMs = LONG_LEASE_MS): Promise<any> {
		const body = { runId: run.runId, step, input: null, claimId: randomUUID(), leaseMs };
		const after: RunSnapshot = {
			...run.now,
			run: 'active',
			steps: { ...run.now.steps, [step]: 'claimed' },
		};
		const { body: claimed } = await this.#do(run, after, 'POST', '/v1/steps/claim', body);
		expect(claimed).toMatchObject({ outcome: 'execute', attempt: 1 });
		return claimed;
	}

	async #step(
		run: KnownRun,
		{ key, fencingToken }: any,
		path: string,
		report: object,
		state: string,
	): Promise<void> {
		const after = { ...run.now, steps: { a: state } };
		await this.#do(run, after, 'POST', `/v1/steps/${key}/${path}`, { fencingToken, ...report });
	}

	async #open(
		run: KnownRun,
		gate: string,
		terms: object,
		others: Record<string, string> = run.now.gates,
	): Promise<string> {
		const shown = { input: null, title: 'Release?', message: '' };
		const after: RunSnapshot = {
			...run.now,
			run: 'active',
			gates: { ...others, [gate]: 'open' },
		};
		const request = { runId: run.runId, gate, ...shown, ...terms };
		const { body } = await this.#do(run, after, 'POST', '/v1/gates', request, [200, 201]);
		return body.gateId;
	}

	/** Asks once. What is not answered stays pending, to be asked again exactly so. */
	async #do(
		run: KnownRun,
		after: RunSnapshot,
		method: string,
		path: string,
		body?: object,
		accepts: number[] = [200],
		learn: (answer: HttpAnswer) => void = () => {},
	): Promise<HttpAnswer> {
		const ask = async () => {
			const answer = await this.ask(method, path, body);
			// 503 is an answer too: nothing was done, ask again.
			if (answer.status === 503) throw new Unanswered('503');
			if (!accepts.includes(answer.status))
				throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
			learn(answer);
			return answer;
		};
		run.pending = { after, ask: async () => void (await ask()) };
		const answer = await ask();
		run.now = after;
		run.pending = undefined;
		return answer;
	}
}

class Unanswered extends Error {}

/** No whole answer: the connection was refused, reset or cut. */
export function isBroken(error: unknown): boolean {
	const { code } = error as NodeJS.ErrnoException;
	return (
		error instanceof Unanswered || ['ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(code ?? '')
	);
}
