/** Names of the contenders, by which their rows are found again. */
export const PEER = {
	graph: 'LangGraph, graph of ten nodes',
	functional: 'LangGraph, functional API',
	dbos: 'DBOS',
	restate: 'Restate, as shipped',
	onePartition: 'Restate, one partition',
};

/**
 * How many times faster than the peers, with the targets of the issue.
 * @param rows figures of contenders at 1, 16 and 64 callers; a ratio whose rows are not there is left out
 */
export function ratiosOfRuns(rows) {
	const find = (what, callers) => rows.find((row) => row.what === what && row.callers === callers);
	const ratios = [];
	const compare = (store, peer, callers, atLeast) => {
		const [ours, theirs] = [find(`journal, ${store}`, callers), find(peer, callers)];
		if (!ours || !theirs) return;
		ratios.push({
			name:
				callers === 1
					? `run of ten steps, ${store}: faster than ${peer}`
					: `steps a second at ${callers} callers, ${store} ÷ ${peer}`,
			value: callers === 1 ? theirs.p50Ms / ours.p50Ms : ours.perSecond / theirs.perSecond,
			unit: '×',
			atLeast,
		});
	};
	for (const peer of [PEER.restate, PEER.onePartition]) compare('SQLite', peer, 16, 6);
	for (const peer of [PEER.graph, PEER.functional]) compare('SQLite', peer, 1, 4);
	compare('PostgreSQL', PEER.dbos, 1, 3);
	compare('PostgreSQL', PEER.dbos, 64, 4);
	return ratios;
}
