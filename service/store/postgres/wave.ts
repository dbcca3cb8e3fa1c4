import type { ClientBase, QueryResult, QueryResultRow } from 'pg';
import type { Queries, SqlValue } from '../database';
import { ENDED } from '../group-commit';
import { coalesceSelect, coalesceSent, type Coalesced } from './coalesce';
import { execute, parameterTypes } from './statements';
import { explainTouched, touchingOne } from './touching-one';

interface Call {
	/** With `?` for parameters. Fails by itself if it must touch one row and does not. */
	readonly sql: string;
	/** Where its answer is not waited for, the statement that must touch one row. */
	readonly sent: string | undefined;
	readonly values: readonly SqlValue[];
	readonly resolve: (result: Pick<QueryResult, 'rows' | 'rowCount'>) => void;
	readonly reject: (error: unknown) => void;
}

/**
 * The statements of jobs that run side by side in one transaction. What they ask for before any of
 * them has an answer is one wave: it is sent together, and where several ask the same with other
 * parameters, as one statement. That is the same as one after the other, since jobs side by side
 * are about different runs. The order of one job's statements is kept.
 */
export class Wave {
	readonly #client: ClientBase;
	/** What is asked for in this wave: all calls of a place are sent before those of the next. */
	#places: Call[][] = [];
	/** Of each job that began or asked in this wave, the place of its next call. */
	#next = new Map<number, number>();
	#failure: unknown;
	readonly #unanswered = new Set<Promise<unknown>>();
	#ended = false;

	constructor(client: ClientBase) {
		this.#client = client;
	}

	/**
	 * To be called when the job begins.
	 * @param now the instant of the transaction, milliseconds since the epoch
	 * @param after the jobs that have ended and whose effects it must see: what they sent may not be
	 *   on its way yet
	 */
	queriesOf(job: number, now: number, after: readonly number[] = []): Queries {
		this.#next.set(job, Math.max(0, ...after.map((earlier) => this.#next.get(earlier) ?? 0)));
		const ask = async <Row>(sql: string, values: readonly SqlValue[]) =>
			await new Promise<Pick<QueryResult<Row & QueryResultRow>, 'rows' | 'rowCount'>>(
				(resolve, reject) =>
					this.#add(job, {
						sql,
						sent: undefined,
						values,
						resolve: resolve as Call['resolve'],
						reject,
					}),
			);
		return {
			now,
			skipLocked: 'FOR UPDATE SKIP LOCKED',
			get: async <Row>(sql: string, ...values: SqlValue[]) => (await ask<Row>(sql, values)).rows[0],
			all: async <Row>(sql: string, ...values: SqlValue[]) => (await ask<Row>(sql, values)).rows,
			run: async (sql: string, ...values: SqlValue[]) => ({
				changes: (await ask(sql, values)).rowCount ?? 0,
			}),
			send: (sql: string, ...values: SqlValue[]) => {
				const sent = new Promise((resolve, reject) =>
					this.#add(job, { sql: touchingOne(sql), sent: sql, values, resolve, reject }),
				);
				this.#unanswered.add(sent);
				sent.catch(() => {});
			},
		};
	}

	/** Sends what has been asked for now, and not only at the end of the turn. */
	flush(): void {
		this.#send();
	}

	/** Why the first statement that failed did: all after it only say that the transaction is lost. */
	get failure(): unknown {
		return this.#failure;
	}

	/** Resolves when all that was sent is done. @throws when anything of it failed */
	async settled(): Promise<void> {
		await Promise.all(this.#unanswered);
	}

	/**
	 * Nothing more is sent: what was asked for and not sent yet would come behind the end of the
	 * transaction, and be kept.
	 */
	end(): void {
		this.#ended = true;
		for (const call of this.#places.flat()) call.reject(ENDED);
		this.#places = [];
	}

	#add(job: number, call: Call): void {
		if (this.#ended) {
			call.reject(ENDED);
			return;
		}
		// By then every job that has an answer has asked for what it needs next.
		if (this.#places.length === 0) setImmediate(() => this.#send());
		const place = this.#next.get(job) ?? 0;
		(this.#places[place] ??= []).push(call);
		this.#next.set(job, place + 1);
	}

	/** First what each job asked first, then what each asked second: no job's order is turned round. */
	#send(): void {
		const places = this.#places;
		this.#places = [];
		this.#next = new Map();
		for (const calls of places)
			for (const [sql, same] of Map.groupBy(calls, (call) => call.sql))
				void this.#execute(sql, same);
	}

	async #execute(sql: string, calls: readonly Call[]): Promise<void> {
		const together = calls.length > 1 ? this.#coalesced(sql, calls) : undefined;
		if (together) await this.#executeTogether(together, calls);
		else await Promise.all(calls.map(async (call) => await this.#executeOne(call)));
	}

	#coalesced(sql: string, calls: readonly Call[]): Coalesced | undefined {
		const types = parameterTypes(this.#client, sql);
		const { sent } = calls[0]!;
		if (sent !== undefined) return types && coalesceSent(sent, types);
		return types && coalesceSelect(sql, types);
	}

	async #executeOne(call: Call): Promise<void> {
		try {
			const result = await execute(this.#client, call.sql, call.values);
			call.resolve(result);
		} catch (error) {
			this.#fail([call], explainTouched(error as Error, call.sql));
		}
	}

	async #executeTogether({ text, ordinal }: Coalesced, calls: readonly Call[]): Promise<void> {
		const arrays = calls[0]!.values.map((_, index) => calls.map(({ values }) => values[index]!));
		try {
			const { rows } = await execute(this.#client, text, arrays);
			if (ordinal === null) {
				for (const call of calls) call.resolve({ rows: [], rowCount: 1 });
				return;
			}
			const rowsOf: QueryResultRow[][] = calls.map(() => []);
			for (const { [ordinal]: set, ...row } of rows) rowsOf[Number(set) - 1]!.push(row);
			calls.forEach((call, index) =>
				call.resolve({ rows: rowsOf[index]!, rowCount: rowsOf[index]!.length }),
			);
		} catch (error) {
			this.#fail(calls, explainTouched(error as Error, text));
		}
	}

	#fail(calls: readonly Call[], error: Error): void {
		this.#failure ??= error;
		for (const call of calls) call.reject(error);
	}
}
