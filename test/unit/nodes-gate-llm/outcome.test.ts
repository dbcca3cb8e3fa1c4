import type { GateState } from '../../../service/contract/gates';
import { refuseOldN8n } from '../../../nodes/ApprovalGate/n8n-version';
import { outcomeOf, undecided, withOutcome } from '../../../nodes/ApprovalGate/outcome';
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

describe('items', () => {
	const edits = { amount: 900, approved: false, extra: 1 };
	const approved = outcomeOf(gate({ state: 'approved', decision: decision({ edits }) }));
	const rejected = outcomeOf(
		gate({ state: 'rejected', decision: decision({ decision: 'reject', edits }) }),
	);
	const items = [{ json: { order: 7, amount: 1200 } }];

	it('carry what was approved in place of what they had, and nothing over the outcome', () => {
		expect(withOutcome(items, approved)[0]!.json).toEqual({ ...approved, order: 7, amount: 900 });
		expect(approved.approved).toBe(true);
	});

	it('keep what they had when it was not approved', () => {
		expect(withOutcome(items, rejected)[0]!.json).toEqual({ ...rejected, order: 7, amount: 1200 });
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
