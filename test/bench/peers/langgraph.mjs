/**
 * LangGraph.js with its SQLite saver, durability "sync" and synchronous=FULL, in this process as its
 * applications have it. Two ways to ten steps: a graph of ten nodes, which writes a checkpoint of the
 * whole state at each, and the functional API, which writes each task's result alone.
 */
import { Annotation, END, START, StateGraph, entrypoint, task } from '@langchain/langgraph';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';
import Sqlite from 'better-sqlite3';
import { answerRequests } from '../answer-requests.mjs';
import { measure } from '../measure.mjs';

const [file, way] = process.argv.slice(2);
const text = 'x'.repeat(1_000);
const names = Array.from({ length: 10 }, (_, index) => `step${index}`);

const connection = new Sqlite(file);
const checkpointer = new SqliteSaver(connection);
checkpointer.setup();
connection.pragma('synchronous = FULL');
const [synchronous, mode] = ['synchronous', 'journal_mode'].map((name) =>
	connection.pragma(name, { simple: true }),
);
if (synchronous !== 2 || mode !== 'wal')
	throw new Error(`LangGraph's SQLite runs with synchronous = ${synchronous}, ${mode}`);

function graphOfTenNodes() {
	const results = Object.fromEntries(names.map((name) => [`${name}Result`, Annotation()]));
	const graph = new StateGraph(Annotation.Root({ order: Annotation(), ...results }));
	names.forEach((name, index) => {
		graph.addNode(name, async () => ({ [`${name}Result`]: text }));
		graph.addEdge(names[index - 1] ?? START, name);
	});
	graph.addEdge(names.at(-1), END);
	return graph.compile({ checkpointer });
}

function tasks() {
	const step = task('step', async () => text);
	return entrypoint({ name: 'run', checkpointer }, async () => {
		for (const name of names) await step(name);
		return true;
	});
}

const application = { graph: graphOfTenNodes, functional: tasks }[way]();
let runs = 0;
const run = () =>
	application.invoke(
		{ order: 490 },
		{ configurable: { thread_id: `run-${runs++}` }, durability: 'sync' },
	);

/** What a run leaves behind, so that no run that stores nothing is ever measured. */
await run();
const { count } = connection
	.prepare(`SELECT count(*) AS count FROM writes WHERE CAST(value AS TEXT) LIKE '%${text}%'`)
	.get();
if (count < names.length) throw new Error(`LangGraph stored ${count} of ${names.length} results`);

answerRequests('ready', ({ callers, seconds }) => measure(callers, seconds, run));
