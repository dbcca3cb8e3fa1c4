/**
 * What goes wrong on request: calls that hang before or after their effect, and scripted failures.
 * A rule matches by path, and by business reference and text in the body where those are given.
 */

const matches = (rule, call) =>
	rule.remaining > 0 &&
	rule.path === call.path &&
	(rule.ref === undefined || rule.ref === call.ref) &&
	(rule.contains === undefined || call.text.includes(rule.contains));

const take = (rules, call, when) => {
	const rule = rules.find((one) => one.when === when && matches(one, call));
	if (rule) rule.remaining -= 1;
	return rule;
};

export function createInterference() {
	let holds = [];
	let failures = [];
	let nextId = 1;
	/** @type {Map<number, { path: string, ref: string, when: string, release: () => void }>} */
	const held = new Map();

	const add = (rules, { path, ref, contains, when = 'before', count, ...rest }, usualCount) => {
		const rule = { id: nextId++, path, ref, contains, when, ...rest };
		rule.remaining = count ?? usualCount;
		rules.push(rule);
		return { id: rule.id };
	};

	return {
		/** `{ path, ref?, contains?, when?: "before"|"after", count? }`; without count all, until released. */
		hold: (wish) => add(holds, wish, Infinity),

		/** `{ path, ref?, contains?, status: number|"reset", headers?, body?, when?, count? }`; once without count. */
		fail: (wish) => add(failures, wish, 1),

		held: () => [...held.entries()].map(([id, { path, ref, when }]) => ({ id, path, ref, when })),

		/** Lets go of all that is held, or of one path and reference; holds nothing there any more. */
		release({ path, ref } = {}) {
			const meant = (one) =>
				(path === undefined || one.path === path) && (ref === undefined || one.ref === ref);
			holds = holds.filter((rule) => !meant(rule));
			const released = [...held.values()].filter(meant);
			for (const one of released) one.release();
			return { released: released.length };
		},

		/** The failure this call is to suffer, if any. */
		failureFor: (call, when) => take(failures, call, when),

		/**
		 * Waits while the call is to be held.
		 * @returns {Promise<boolean>} false when the caller went away meanwhile
		 */
		async passes(call, when, response) {
			if (take(holds, call, when)) {
				const id = nextId++;
				await new Promise((resolve) => {
					held.set(id, { path: call.path, ref: call.ref, when, release: resolve });
					response.on('close', resolve);
				});
				held.delete(id);
			}
			return !response.destroyed && !response.writableEnded;
		},

		reset() {
			holds = [];
			failures = [];
			for (const one of held.values()) one.release();
		},
	};
}
