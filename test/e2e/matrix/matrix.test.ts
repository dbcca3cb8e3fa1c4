/**
 * Every way to call a tool × everything that can happen to the call, in a real n8n with a real journal and
 * a receiver that counts. What each cell must come to is in expected.ts; docs/matrix.md is made from what
 * was measured (UPDATE_MATRIX=1 writes it).
 */
import { startLosingProxy, type LosingProxy } from '../../integration/idempotent-tool-call-proxy';
import { startJournal, type Journal } from '../../journal-process';
import { startChatModel, type ChatModel } from '../../stand-ins/chat-model';
import { startN8n, type N8n } from '../n8n/start-n8n';
import { COLUMNS } from './columns';
import { EXPECTED } from './expected';
import { startReceiver, type Receiver } from './receiver';
import { connectedTool } from './rows/connected-tool';
import { httpRequest } from './rows/http-request';
import { subWorkflow } from './rows/sub-workflow';
import { underAnAgent } from './rows/under-an-agent';
import { Scene, type Measured, type Stage } from './scene';
import { committedTable, tableOf } from './table';

jest.setTimeout(300_000);

const ROWS = [connectedTool, httpRequest, subWorkflow, underAnAgent];
/** How many cells are under way at once; more only wait for n8n. */
const AT_ONCE = 4;

let n8n: N8n;
let journal: Journal;
let proxy: LosingProxy;
let receiver: Receiver;
let model: ChatModel;
const scenes = new Map<string, Scene>();
/** What went wrong in a cell before it could be measured. */
const failures = new Map<string, unknown>();
const measured = new Map<string, Measured>();
const nameOf = (column: { name: string }, row: { name: string }) => `${column.name} / ${row.name}`;

/** Does something with every cell, some at once; one that fails does not stop the others. */
async function forCells(cells: Scene[], act: (scene: Scene) => Promise<void>): Promise<void> {
	const queue = [...cells];
	const work = async () => {
		for (let scene = queue.shift(); scene; scene = queue.shift()) {
			const name = nameOf(scene.column, scene.row);
			if (!failures.has(name)) await act(scene).catch((error) => failures.set(name, error));
		}
	};
	await Promise.all(Array.from({ length: AT_ONCE }, work));
}

async function startStage(): Promise<Stage> {
	[n8n, journal, receiver, model] = await Promise.all([
		startN8n(),
		startJournal(),
		startReceiver(),
		startChatModel(),
	]);
	proxy = await startLosingProxy(journal.baseUrl);
	const { client } = n8n;
	return {
		...{ client, journal, proxy, receiver },
		journalApi: await client.createCredential('journalApi', {
			baseUrl: proxy.baseUrl,
			apiKey: journal.apiKey,
		}),
		openAiApi: await client.createCredential('openAiApi', {
			apiKey: 'none',
			url: `${model.baseUrl}/v1`,
		}),
	};
}

beforeAll(async () => {
	const stage = await startStage();
	for (const column of COLUMNS)
		for (const row of ROWS) scenes.set(nameOf(column, row), new Scene(stage, row, column));
	const all = [...scenes.values()];
	await forCells(all, async (scene) => await scene.prepare());
	const killed = all.filter(({ column }) => column.play.beforeKill);
	await forCells(killed, async (scene) => await scene.column.play.beforeKill!(scene));
	// All of them hang at the same time: one kill for all.
	await n8n.kill('SIGKILL');
	await n8n.restart();
	await forCells(all, async (scene) => {
		await scene.column.play.play(scene);
		measured.set(nameOf(scene.column, scene.row), await scene.measure());
	});
});
afterAll(async () => {
	await n8n?.stop();
	await proxy?.stop();
	await receiver?.stop();
	await model?.stop();
	await journal?.stop();
});

describe.each(COLUMNS)('$name', (column) => {
	test.each(ROWS)('$name', (row) => {
		const name = nameOf(column, row);
		if (failures.has(name)) throw failures.get(name);
		expect(measured.get(name)).toEqual(EXPECTED[column.id]?.[row.id] ?? 'an expectation');
		if (column.leastPauseMs && row.seesRetryAfter)
			expect(scenes.get(name)!.pauseMs()).toBeGreaterThanOrEqual(column.leastPauseMs);
		if (column.leastClaims)
			expect(scenes.get(name)!.claims()).toBeGreaterThanOrEqual(column.leastClaims);
	});
});

test('docs/matrix.md says what was measured', () => {
	const table = tableOf(
		ROWS.map(({ name }) => name),
		COLUMNS.map((column) => [column.name, ROWS.map((row) => measured.get(nameOf(column, row))!)]),
	);
	expect(committedTable(table)).toBe(table);
});
