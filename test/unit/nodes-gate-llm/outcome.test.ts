import type { GateState } from '../../../service/contract/gates';
import { refuseOldN8n } from '../../../nodes/ApprovalGate/n8n-version';
import { outcomeOf, route, undecided } from '../../../nodes/ApprovalGate/outcome';
import { decision, gate, GATE_ID } from './gate';

describe('outcome', () => {
	it('tells who decided what, how, and after how long', () => {
		const edits = { amount: 900 };
		const decided = decision({ comment: 'less', edits, via: 'telegram' });
		expect(outcomeOf(gate({ state: 'approved', decision: decided }))).toEqual({
			approved: true,
			decision: 'approve',
			decidedBy: 'Operator',
			via: 'telegram',
			comment: 'less',
			edits,
			gateId: GATE_ID,
			waitedMs: 5250,
		});
	});

	it.each<GateState>(['open', 'rejected', 'expired', 'cancelled'])(
		'does not approve a gate that is %s, whatever its decision says',
		(state) => {
			expect(outcomeOf(gate({ state, decision: decision() })).approved).toBe(false);
			expect(outcomeOf(gate({ state })).approved).toBe(false);
		},
	);

	it('does not approve without a decision', () => {
		expect(outcomeOf(gate({ state: 'approved', decision: null }))).toEqual(undecided(GATE_ID));
	});
});

describe('route', () => {
	const approved = outcomeOf(gate({ state: 'approved', decision: decision() }));
	const rejected = outcomeOf(
		gate({ state: 'rejected', decision: decision({ decision: 'reject' }) }),
	);
	// What an earlier gate of the same workflow left in the item.
	const earlier = { order: 7, approved: true, comment: 'fine', edits: { a: 1 }, via: 'inbox' };
	const items = [{ json: earlier, binary: { file: { data: '', mimeType: 'text/plain' } } }];

	it('sends the approved to output 1 and everything else to output 0', () => {
		expect(route(items, approved, false).map((output) => output.length)).toEqual([0, 1]);
		expect(route(items, rejected, false).map((output) => output.length)).toEqual([1, 0]);
		expect(route(items, undecided(null), false).map((output) => output.length)).toEqual([1, 0]);
	});

	it('has one output for the human review of an agent', () => {
		for (const outcome of [approved, rejected]) {
			const [only, ...more] = route(items, outcome, true);
			expect(only![0]!.json.approved).toBe(outcome.approved);
			expect(more).toEqual([]);
		}
	});

	it('leaves nothing of an earlier gate, keeps data and files, and changes no item upstream', () => {
		const [item] = route(items, rejected, false)[0]!;
		expect(item!.json).toEqual({ ...rejected, order: 7 });
		expect(item!.json).toMatchObject({ approved: false, comment: null, edits: null });
		expect(item!.binary).toBe(items[0]!.binary);
		expect(item!.pairedItem).toEqual({ item: 0 });
		expect(items[0]!.json).toEqual(earlier);
	});
});

describe('version of n8n', () => {
	it('is taken when its core forwards every output', () => {
		expect(() => refuseOldN8n()).not.toThrow();
	});

	it('is refused when it is older than 2.39', () => {
		expect(() => refuseOldN8n({ NodeOperationError: Error })).toThrow(/2\.39/);
	});
});
