import type { IExecuteFunctions, INode } from 'n8n-workflow';
import { findTool } from '../../../nodes/IdempotentToolCall/operations/find-tool';

const MCP = '@n8n/n8n-nodes-langchain.mcpClientTool';

interface Setting {
	tools?: Array<Partial<INode>>;
	items?: number;
	executionOrder?: string;
	/** The node before ours; null: ours is the first. */
	before?: string | null;
	inLoop?: boolean;
	toolName?: string;
	/** Names that a toolkit offers. */
	offers?: string[];
}

function contextOf(setting: Setting): IExecuteFunctions {
	const before = [{ name: 'Loop' }];
	return {
		getConnectedNodes: () =>
			(setting.tools ?? [{}]).map((tool) => ({
				name: 'Tool',
				type: 'n8n-nodes-base.httpRequestTool',
				typeVersion: 4.2,
				parameters: {},
				...tool,
			})),
		getWorkflowSettings: () => ({ executionOrder: setting.executionOrder ?? 'v1' }),
		getExecuteData: () => ({
			source: setting.before === null ? null : { main: [{ previousNode: 'Webhook' }] },
		}),
		getInputData: () => Array.from({ length: setting.items ?? 1 }, () => ({ json: {} })),
		getNode: () => ({ id: 'n', name: 'Call', type: 't', parameters: {} }),
		getParentNodes: () => before,
		getChildNodes: () => (setting.inLoop ? before : []),
		getNodeParameter: () => setting.toolName ?? '',
		getInputConnectionData: async () => [
			{ tools: (setting.offers ?? []).map((name) => ({ name })) },
		],
	} as unknown as IExecuteFunctions;
}

const find = async (setting: Setting) => await findTool(contextOf(setting));
const paired = (expression: string) => ({
	tools: [{ parameters: { deep: [{ body: expression }] } }],
});

const neverError = (more: object) => ({
	tools: [{ parameters: { options: { response: { response: { neverError: true, ...more } } } } }],
});

it('takes a tool that can be run', async () => {
	expect(await find({})).toEqual({ node: 'Tool', type: 'n8n-nodes-base.httpRequestTool' });
});

it.each<[string, Setting, RegExp]>([
	['no tool', { tools: [] }, /exactly one enabled tool to this node; it has 0/],
	['two tools', { tools: [{}, {}] }, /it has 2/],
	['execution order v0', { executionOrder: 'v0' }, /Execution Order to v1/],
	['our node as the first', { before: null }, /Put a node before this one/],
	['On Error: continue', { tools: [{ onError: 'continueRegularOutput' }] }, /On Error/],
	['On Error: stop', { tools: [{ onError: 'stopWorkflow' }] }, /On Error/],
	['the older continue', { tools: [{ continueOnFail: true }] }, /On Error/],
	['Retry On Fail', { tools: [{ retryOnFail: true }] }, /Retry On Fail/],
	[
		'the old HTTP tool',
		{ tools: [{ type: '@n8n/n8n-nodes-langchain.toolHttpRequest' }] },
		/current HTTP Request Tool/,
	],
	['an old MCP Client', { tools: [{ type: MCP, typeVersion: 1.2 }] }, /version 1.3 or newer/],
	['.item with several items', { ...paired("={{ $('A').item.json.x }}"), items: 2 }, /\.item/],
	['.item in a loop', { ...paired("={{ $('A').item.json.x }}"), inLoop: true }, /\.item/],
	['itemMatching', { ...paired('=a {{ $("A").itemMatching(0) }}'), items: 2 }, /\.item/],
	['pairedItem', { ...paired('={{ $(`A`).pairedItem(0) }}'), items: 2 }, /\.item/],
	['item in brackets', { ...paired("={{ $('A')['item'].json.x }}"), items: 2 }, /\.item/],
	['item after ?.', { ...paired("={{ $('A')?.item.json.x }}"), items: 2 }, /\.item/],
	[
		'item of a node by name in a field',
		{ ...paired('={{ $($json.a).item }}'), items: 2 },
		/\.item/,
	],
	['a quote in a node name', { ...paired("={{ $('A\\'s (1)').item }}"), items: 2 }, /\.item/],
	[
		'the item index',
		{ ...paired("={{ $('A').all()[$itemIndex].json.x }}"), items: 2 },
		/itemIndex/,
	],
	[
		'an old Call n8n Workflow Tool',
		{ tools: [{ type: '@n8n/n8n-nodes-langchain.toolWorkflow', typeVersion: 1.3 }] },
		/replace it by a new one/,
	],
	[
		'an MCP Registry Client',
		{ tools: [{ type: '@n8n/n8n-nodes-langchain.mcpRegistryClientTool', typeVersion: 1.1 }] },
		/use the MCP Client Tool/,
	],
	['Never Error', neverError({}), /Never Error/],
	['Never Error by expression', neverError({ fullResponse: '={{ $json.x }}' }), /Never Error/],
	[
		'an unknown tool of a toolkit',
		{ tools: [{ type: MCP, typeVersion: 1.3 }], toolName: 'x', offers: ['Tool_pay'] },
		/no tool "x": choose one of Tool_pay/,
	],
	[
		'no tool of a toolkit',
		{ tools: [{ type: MCP, typeVersion: 1.3 }], offers: ['Tool_pay'] },
		/enter a Tool Name, one of Tool_pay/,
	],
])('refuses %s', async (_what, setting, sentence) => {
	await expect(find(setting)).rejects.toThrow(sentence);
});

it.each<[string, Setting]>([
	['.item with one item outside of a loop', paired("={{ $('A').item.json.x }}")],
	['Never Error with the status in the answer', neverError({ fullResponse: true })],
	['a field that is called item', { ...paired('={{ $json.item }}'), items: 2 }],
	['the first item', { ...paired("={{ $('A').first().json.item }}"), items: 2 }],
	['a node called item', { ...paired("={{ $('item').first().json.x }}"), items: 2 }],
	['text that is no expression', { ...paired("$('A').item"), items: 2 }],
])('takes %s', async (_what, setting) => {
	await expect(find(setting)).resolves.toBeDefined();
});

it.each(['pay', 'My_MCP_pay'])(
	'finds the tool "%s" of a toolkit by its short or full name',
	async (toolName) => {
		const tools = [{ name: 'My MCP', type: MCP, typeVersion: 1.3 }];
		expect(await find({ tools, toolName, offers: ['My_MCP_list', 'My_MCP_pay'] })).toMatchObject({
			toolName: 'My_MCP_pay',
		});
	},
);
