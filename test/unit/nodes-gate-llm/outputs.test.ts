import { NodeHelpers, Workflow, type INodeOutputConfiguration } from 'n8n-workflow';
import { ApprovalGate } from '../../../nodes/ApprovalGate/ApprovalGate.node';
import { outcomeOf, undecided } from '../../../nodes/ApprovalGate/outcome';
import { route, type FurtherOutputs } from '../../../nodes/ApprovalGate/outputs';
import { decision, gate } from './gate';

const approved = outcomeOf(gate({ state: 'approved', decision: decision() }));
const rejected = outcomeOf(gate({ state: 'rejected', decision: decision({ decision: 'reject' }) }));
const expired = outcomeOf(
	gate({ state: 'expired', decision: decision({ decision: 'reject', via: 'deadline' }) }),
);
const changes = outcomeOf(gate({ state: 'rejected', decision: decision({ decision: 'changes' }) }));
const byDeadline = outcomeOf(
	gate({ state: 'approved', decision: decision({ via: 'deadline', policy: 'approve' }) }),
);
const cancelled = outcomeOf(gate({ state: 'cancelled' }));

const NONE: FurtherOutputs = {};
const EXPIRED: FurtherOutputs = { expiredOutput: true };
const CHANGES: FurtherOutputs = { changesOutput: true };
const BOTH: FurtherOutputs = { expiredOutput: true, changesOutput: true };

it.each([
	['approved', approved, NONE, [0, 1]],
	['rejected', rejected, NONE, [1, 0]],
	['expired', expired, NONE, [1, 0]],
	['changes', changes, NONE, [1, 0]],
	['nothing known', undecided(null), NONE, [1, 0]],
	['cancelled', cancelled, NONE, [1, 0]],
	['approved by the deadline', byDeadline, BOTH, [0, 1, 0, 0]],
	['approved', approved, BOTH, [0, 1, 0, 0]],
	['rejected', rejected, BOTH, [1, 0, 0, 0]],
	['expired', expired, BOTH, [0, 0, 1, 0]],
	['changes', changes, BOTH, [0, 0, 0, 1]],
	['cancelled', cancelled, BOTH, [1, 0, 0, 0]],
	['expired', expired, EXPIRED, [0, 0, 1]],
	['changes', changes, EXPIRED, [1, 0, 0]],
	['changes', changes, CHANGES, [0, 0, 1]],
	['expired', expired, CHANGES, [1, 0, 0]],
] as const)('%s leaves by one output: %j, %j', (_, outcome, options, counts) =>
	expect(route([{ json: {} }], outcome, options).map((output) => output.length)).toEqual(counts),
);

it.each([
	[NONE, ['Not approved', 'Approved']],
	[EXPIRED, ['Not approved', 'Approved', 'Expired']],
	[CHANGES, ['Not approved', 'Approved', 'Changes requested']],
	[BOTH, ['Not approved', 'Approved', 'Expired', 'Changes requested']],
])('n8n sees the outputs that items can leave by: %j', (options, names) => {
	const node = {
		id: '1',
		name: 'Gate',
		type: 'gate',
		typeVersion: 1,
		position: [0, 0] as [number, number],
		parameters: { options: { ...options } },
	};
	const workflow = new Workflow({
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes: { getByNameAndVersion: () => new ApprovalGate() } as never,
	});
	const outputs = NodeHelpers.getNodeOutputs(
		workflow,
		node,
		new ApprovalGate().description,
	) as INodeOutputConfiguration[];
	expect(outputs.map(({ displayName }) => displayName)).toEqual(names);
	expect(route([], approved, options)).toHaveLength(names.length);
});

it('leaves nothing of an earlier gate, keeps data and files, and changes no item upstream', () => {
	// What an earlier gate of the same workflow left in the item.
	const earlier = { order: 7, approved: true, comment: 'fine', edits: { a: 1 }, via: 'inbox' };
	const items = [{ json: earlier, binary: { file: { data: '', mimeType: 'text/plain' } } }];
	const [item] = route(items, rejected, NONE)[0]!;
	expect(item!.json).toEqual({ ...rejected, order: 7 });
	expect(item!.json).toMatchObject({ approved: false, comment: null, edits: null });
	expect(item!.binary).toBe(items[0]!.binary);
	expect(item!.pairedItem).toEqual({ item: 0 });
	expect(items[0]!.json).toEqual(earlier);
});
