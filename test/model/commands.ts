/** How operations meet the journal: one by one, together, with lost answers and crashes at any point. */
import fc from 'fast-check';
import { gateOperations } from './gate-operations';
import { restart } from './gate-rules';
import { checkInvariants } from './invariants';
import type { Model } from './model';
import { check, type Operation, type Request } from './operation';
import { stepOperations } from './step-operations';
import type { Answer, World } from './world';

type Command = fc.AsyncCommand<Model, World>;

/**
 * - `answered`: it is done and answered.
 * - `lost`: it is done, the answer is lost, and the caller asks the same again.
 * - `crash after`: the process dies between the commit and the answer; the caller asks again.
 * - a number: the process dies at that query of the transaction; the caller asks again.
 */
type Fate = 'answered' | 'lost' | 'crash after' | number;

class One implements Command {
	constructor(
		readonly operation: Operation,
		readonly fate: Fate,
	) {}

	check(model: Readonly<Model>): boolean {
		return this.operation.prepare(model) !== undefined;
	}

	async run(model: Model, world: World): Promise<void> {
		const request = this.operation.prepare(model)!;
		if (typeof this.fate === 'number') await this.#dieAt(this.fate, request, model, world);
		else if (this.fate !== 'answered') await this.#loseAnswer(request, model, world);
		const seen = await request.send(world);
		check(model, request, seen);
		request.learn?.(model, seen);
		await checkInvariants(model, world);
	}

	async #loseAnswer(request: Request, model: Model, world: World): Promise<void> {
		check(model, request, await request.send(world));
		if (this.fate === 'crash after') await crash(model, world);
	}

	/** Nothing of the transaction is kept. Where there are fewer queries than that, it is done. */
	async #dieAt(query: number, request: Request, model: Model, world: World): Promise<void> {
		world.breakAt(query, true);
		const seen = await request.send(world);
		const broke = world.repair();
		if (!broke || seen.status !== 503) check(model, request, seen);
		if (broke) await crash(model, world, 'break');
		await checkInvariants(model, world);
	}

	toString(): string {
		return `${this.operation.name} (${this.fate})`;
	}
}

/** Asked in the same moment. There must be an order in which the answers make sense. */
class Together implements Command {
	constructor(
		readonly operations: Operation[],
		readonly breakAt: number | undefined,
	) {}

	check(): boolean {
		return true;
	}

	async run(model: Model, world: World): Promise<void> {
		const requests = this.operations.flatMap((operation) => operation.prepare(model) ?? []);
		if (this.breakAt !== undefined) world.breakAt(this.breakAt, false);
		const asked = await Promise.all(
			requests.map(async (request) => ({ request, seen: await request.send(world) })),
		);
		world.repair();
		// Alone in its transaction, the one that broke is refused and has done nothing.
		const done = asked.filter(({ seen }) => seen.status !== 503);
		expect(asked.length - done.length).toBeLessThanOrEqual(this.breakAt === undefined ? 0 : 1);
		Object.assign(model, await inSomeOrder(model, world, done));
		for (const { request, seen } of done) request.learn?.(model, seen);
	}

	toString(): string {
		const names = this.operations.map(({ name }) => name).join(' | ');
		return `together, broken at ${this.breakAt}: ${names}`;
	}
}

type Asked = { readonly request: Request; readonly seen: Answer };

/**
 * The model after an order that agrees with every answer and with what is stored now.
 * @throws what contradicts the order in which they were asked, when every order is contradicted
 */
async function inSomeOrder(model: Model, world: World, asked: Asked[]): Promise<Model> {
	let contradiction: unknown;
	for (const order of permutations(asked)) {
		const after = structuredClone(model);
		try {
			for (const { request, seen } of order) check(after, request, seen);
			await checkInvariants(after, world);
			return after;
		} catch (error) {
			contradiction ??= error;
		}
	}
	throw contradiction;
}

function* permutations<Item>(items: Item[]): Generator<Item[]> {
	if (items.length === 0) yield [];
	for (const [index, first] of items.entries())
		for (const rest of permutations(items.toSpliced(index, 1))) yield [first, ...rest];
}

class Jump implements Command {
	constructor(readonly ms: number) {}
	check = () => true;
	async run(model: Model, world: World): Promise<void> {
		world.clock.advance(this.ms);
		model.now += this.ms;
		await checkInvariants(model, world);
	}
	toString = () => `the clock jumps by ${this.ms} ms`;
}

class Crash implements Command {
	check = () => true;
	async run(model: Model, world: World): Promise<void> {
		await crash(model, world);
		await checkInvariants(model, world);
	}
	toString = () => 'crash';
}

async function crash(model: Model, world: World, at: 'now' | 'break' = 'now'): Promise<void> {
	await world.crash({ at });
	restart(model);
}

const operation = fc.oneof(...stepOperations, ...gateOperations);
const fate = fc.oneof(
	{ weight: 10, arbitrary: fc.constant<Fate>('answered') },
	{ weight: 2, arbitrary: fc.constant<Fate>('lost') },
	{ weight: 1, arbitrary: fc.constant<Fate>('crash after') },
	{ weight: 2, arbitrary: fc.integer({ min: 1, max: 14 }) },
);
const jump = fc.oneof(
	{ weight: 3, arbitrary: fc.constantFrom(100, 1_000, 1_500) },
	{
		weight: 2,
		arbitrary: fc.constantFrom(60_000, 400_000, 90_000_000, -500, -30_000, -100_000_000),
	},
);

export const commands = (maxCommands: number) =>
	fc.commands(
		[
			fc.tuple(operation, fate).map(([asked, end]) => new One(asked, end)),
			fc.tuple(operation, fate).map(([asked, end]) => new One(asked, end)),
			fc.tuple(operation, fate).map(([asked, end]) => new One(asked, end)),
			fc
				.tuple(
					fc.array(operation, { minLength: 2, maxLength: 3 }),
					fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined, freq: 3 }),
				)
				.map(([all, breakAt]) => new Together(all, breakAt)),
			jump.map((ms) => new Jump(ms)),
			fc.constant(new Crash()),
		],
		{ maxCommands, size: 'max' },
	);
