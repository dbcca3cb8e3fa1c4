/** Kills journals under load, one after the other, and checks after each what is left. */
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { waitUntil } from '../wait-until';
import { Caller, type KnownRun, type SharedSteps } from './caller';
import type { CrashStore } from './crash-store';
import { KillableJournal, type Kill } from './killable-journal';
import { ABSENT, readSnapshot, type RunSnapshot } from './run-snapshot';

/** What a caller hears of a store that cannot work now. */
const CANNOT_NOW = {
	status: 503,
	headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
	body: { code: 'store_busy', retryAfterMs: expect.any(Number) },
};
const CALLERS = 6;
/** What each caller still does when a disturbance is over. */
const RUNS_AFTERWARDS = 10;
/** Runs that are verified at the same time. */
const AT_ONCE = 8;
/** A caller that has done so much was not killed. */
const MOST_RUNS = 60;

export class Campaign {
	/** What was done, for whoever wants to know that there was something to find. */
	readonly figures = { killsByPoint: {} as Record<string, number>, unkilled: 0, checks: 0 };
	readonly #known: KnownRun[] = [];
	#cycle = 0;

	private constructor(
		readonly store: CrashStore,
		/** The first is killed. The second, where the store is shared, goes on. */
		readonly journals: KillableJournal[],
	) {}

	static async on(store: CrashStore): Promise<Campaign> {
		const secret = randomBytes(32).toString('base64url');
		const journals: KillableJournal[] = [];
		for (let n = 0; n < (store.shared ? 2 : 1); n++)
			journals.push(await KillableJournal.on(store.address, secret));
		return new Campaign(store, journals);
	}

	/** Kills a journal while it starts, perhaps several times; then one starts and works. */
	async killAtStart(kill: Kill): Promise<void> {
		const [journal] = this.journals as [KillableJournal];
		this.#count(kill, !(await journal.start(kill)));
		expect(await journal.start()).toBe(true);
		await this.#check();
		const caller = this.#caller('started', [journal], this.#share());
		await caller.work((runs) => runs < 8);
		await this.#verify(caller.runs);
		await journal.stop();
	}

	/** Kills a journal under load. */
	async killUnderLoad(kill: Kill): Promise<void> {
		const [journal, ...others] = this.journals as [KillableJournal, ...KillableJournal[]];
		expect(await journal.start(kill)).toBe(true);
		for (const other of others) if (!(await answers(other))) expect(await other.start()).toBe(true);
		const shared = this.#share();
		const callers = Array.from({ length: CALLERS }, (_, index) =>
			this.#caller(`caller-${'x'.repeat(index)}`, this.journals, shared, index),
		);
		journal.arm();
		const worked = await Promise.allSettled(
			callers.map((caller) => caller.work((runs) => runs < MOST_RUNS && !journal.isDead)),
		);
		for (const outcome of worked) if (outcome.status === 'rejected') throw outcome.reason;
		if (worked.some((outcome) => outcome.status === 'fulfilled' && outcome.value))
			await waitUntil('the journal to be dead', () => journal.isDead);
		this.#count(kill, journal.isDead);
		await journal.stop();
		if (others.length === 0) expect(await journal.start()).toBe(true);
		await this.#verifyWork(callers, shared);
	}

	/**
	 * Lets callers work while something happens to the store. They ask again whatever the journal says
	 * is worth asking again, and are stopped by any other refusal.
	 * @param disturb resolves when the store is as before; told how often callers were refused so far
	 * @returns how often callers were refused
	 */
	async disturbUnderLoad(disturb: (refused: () => number) => Promise<void>): Promise<number> {
		for (const journal of this.journals)
			if (journal.isDead) expect(await journal.start()).toBe(true);
		let refused = 0;
		let calm = false;
		const patiently = async (journal: KillableJournal, ...call: [string, string, object?]) => {
			for (;;) {
				const answer = await journal.request(...call);
				if (answer.status < 500) return answer;
				expect(answer).toMatchObject(CANNOT_NOW);
				refused++;
				await pause(20);
			}
		};
		const shared = this.#share();
		const callers = Array.from({ length: CALLERS }, (_, index) => {
			const mine = this.journals[index % this.journals.length]!;
			const name = `patient-${'x'.repeat(index)}-${this.#cycle++}`;
			return new Caller(name, async (...call) => await patiently(mine, ...call), shared);
		});
		const worked = callers.map(async (caller) => {
			let left = RUNS_AFTERWARDS;
			await caller.work(() => !calm || left-- > 0);
		});
		await Promise.all([...worked, disturb(() => refused).finally(() => (calm = true))]);
		await this.#verifyWork(callers, shared);
		return refused;
	}

	/** Everything that was ever answered is still so. */
	async verifyAll(): Promise<void> {
		const [journal] = this.journals as [KillableJournal];
		expect(await journal.start()).toBe(true);
		await this.#verify(this.#known.splice(0));
		await this.#check();
	}

	async close(): Promise<void> {
		for (const journal of this.journals) await journal.stop();
		await this.store.remove();
	}

	#count({ point }: Kill, killed: boolean): void {
		if (!killed) this.figures.unkilled++;
		else this.figures.killsByPoint[point] = (this.figures.killsByPoint[point] ?? 0) + 1;
	}

	#share(): SharedSteps {
		return { runId: `shared-${this.#cycle++}`, executed: new Map() };
	}

	#caller(name: string, journals: KillableJournal[], shared: SharedSteps, index = 0): Caller {
		const mine = journals[index % journals.length]!;
		const ask = async (method: string, path: string, body?: object) => {
			const alive = mine.isDead ? journals.find((journal) => !journal.isDead) : mine;
			return await (alive ?? mine).request(method, path, body);
		};
		return new Caller(`${name}-${this.#cycle++}`, ask, shared);
	}

	/** What callers that worked at the same time were told, and that each shared step was executed by one. */
	async #verifyWork(callers: Caller[], shared: SharedSteps): Promise<void> {
		await this.#check();
		await this.#verify(callers.flatMap(({ runs }) => runs));
		for (const claims of shared.executed.values()) expect(claims.size).toBe(1);
	}

	async #verify(runs: KnownRun[]): Promise<void> {
		for (let first = 0; first < runs.length; first += AT_ONCE)
			await Promise.all(
				runs.slice(first, first + AT_ONCE).map(async (run) => await this.#verifyRun(run)),
			);
		this.#known.push(...runs);
	}

	/** As it was answered; where no answer came, as before or as after, and as after once asked again. */
	async #verifyRun(run: KnownRun): Promise<void> {
		this.figures.checks++;
		const found = await this.#read(run.runId);
		const { pending } = run;
		const allowed = [shown(run.now), ...(pending ? [shown(pending.after)] : [])];
		expect({ runId: run.runId, allowed }).toEqual({
			runId: run.runId,
			allowed: expect.arrayContaining([found]),
		});
		if (pending) {
			await pending.ask();
			run.now = pending.after;
			run.pending = undefined;
			expect(await this.#read(run.runId)).toEqual(shown(run.now));
		}
		if (run.now.steps.short)
			await waitUntil('the forgotten step to be in doubt', async () => {
				const { steps } = await readSnapshot(this.#ask, run.runId);
				return steps.short === 'in_doubt';
			});
	}

	readonly #ask = async (method: string, path: string) =>
		await this.journals.findLast((journal) => !journal.isDead)!.request(method, path);

	async #read(runId: string): Promise<RunSnapshot> {
		return shown(await readSnapshot(this.#ask, runId));
	}

	/** What no answer shows: a sound store, and exactly the timers that open gates need. */
	async #check(): Promise<void> {
		await this.store.checkIntegrity();
		const timers = await this.store.rows('SELECT subject FROM timers ORDER BY subject');
		const gates = await this.store.rows(
			"SELECT gate_id AS subject FROM gates WHERE state = 'open' AND deadline_at IS NOT NULL ORDER BY gate_id",
		);
		expect(timers).toEqual(gates);
	}
}

/** When a lease runs out is a matter of the clock, not of the kill. */
function shown(snapshot: RunSnapshot): RunSnapshot {
	if (snapshot === ABSENT || !snapshot.steps.short) return snapshot;
	return { ...snapshot, steps: { ...snapshot.steps, short: 'started' } };
}

async function answers(journal: KillableJournal): Promise<boolean> {
	return await journal.request('GET', '/readyz').then(
		({ status }) => status === 200,
		() => false,
	);
}
