/** What really happened: every effect the stand-ins carried out, as the outside world would know it. */

const EVENTS_KEPT = 200;

/** What one model call costs, in US dollars; about what a long prompt costs at a large model. */
export const MODEL_CALL_USD = 0.04;

/**
 * @typedef {{ kind: string, path: string, ref: string, label: string, costUsd?: number }} Effect
 *   kind: which total it belongs to; path + label: which effect it is; ref: the business reference (order)
 */
export function createLedger() {
	/** @type {Map<string, Effect & { count: number }>} */
	let effects = new Map();
	let events = [];
	let replayed = 0;
	let requests = 0;

	const totalOf = (kind) =>
		[...effects.values()].reduce((sum, one) => sum + (one.kind === kind ? one.count : 0), 0);

	return {
		/** @param {Effect} effect */
		record(effect) {
			const identity = JSON.stringify([effect.path, effect.ref, effect.label]);
			const known = effects.get(identity);
			if (known) known.count += 1;
			else effects.set(identity, { ...effect, count: 1 });
			events.unshift({ at: new Date().toISOString(), ...effect, count: known?.count ?? 1 });
			events.length = Math.min(events.length, EVENTS_KEPT);
		},

		/** A receiver recognised an idempotency key and did nothing. */
		recordReplay() {
			replayed += 1;
		},

		recordRequest() {
			requests += 1;
		},

		/** The body of `GET /counts`. */
		counts() {
			const all = [...effects.values()];
			const byRef = {};
			for (const { ref, path, kind, label, count } of all) {
				byRef[ref] ??= {};
				const name = kind === 'model' ? `${path} ${label}` : path;
				byRef[ref][name] = (byRef[ref][name] ?? 0) + count;
			}
			return {
				totals: {
					lookups: totalOf('lookup'),
					invoices: totalOf('invoice'),
					mails: totalOf('mail'),
					contracts: totalOf('contract'),
					crmUpdates: totalOf('crm'),
					modelCalls: totalOf('model'),
				},
				modelCostUsd: Number((totalOf('model') * MODEL_CALL_USD).toFixed(2)),
				/** Effects that happened more than once; looking something up twice harms nobody. */
				doubled: all.filter(({ kind, count }) => kind !== 'lookup' && count > 1),
				replayedByReceiver: replayed,
				requests,
				byRef,
				effects: all,
				events,
			};
		},

		reset() {
			effects = new Map();
			events = [];
			replayed = 0;
			requests = 0;
		},
	};
}
