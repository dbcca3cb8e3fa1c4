import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { markAsWaiting, takeBackMark } from '../../../nodes/ApprovalGate/waiting-items';
import { GATE_ID } from './gate';

/** One of n8n's entries for a node run: its input, and what is kept beside it. */
function entry(items: IDataObject[]) {
	const data = {
		data: { main: [items.map((json) => ({ json }))] },
		metadata: undefined as unknown,
	};
	const context = {
		getInputData: () => data.data.main[0],
		getExecuteData: () => data,
		setMetadata: (metadata: object) => (data.metadata = metadata),
	} as unknown as IExecuteFunctions;
	return { data, context };
}

/** What n8n stores and loads again. */
const reloaded = ({ data }: ReturnType<typeof entry>) => {
	const copy = entry([]);
	Object.assign(copy.data, JSON.parse(JSON.stringify(data)));
	return copy;
};

it('says "not approved" in the input itself, and changes no item upstream', () => {
	const upstream = { order: 7, approved: true, comment: 'of an earlier gate' };
	const waiting = entry([upstream]);
	const items = markAsWaiting(waiting.context, GATE_ID, 0);
	expect(waiting.data.data.main).toEqual([items]);
	expect(items[0]!.json).toMatchObject({
		order: 7,
		approved: false,
		comment: null,
		gateId: GATE_ID,
	});
	expect(upstream).toEqual({ order: 7, approved: true, comment: 'of an earlier gate' });
});

it('takes it back to the very input, also after it was stored', () => {
	const before = [{ order: 7 }, { order: 8, approved: true, edits: { a: 1 }, gateId: 'earlier' }];
	const waiting = entry(before);
	markAsWaiting(waiting.context, GATE_ID, 2);
	const again = reloaded(waiting);
	expect(takeBackMark(again.context)).toBe(2);
	expect(again.data.data.main[0]!.map(({ json }) => json)).toEqual(before);
});

it('puts more over the items where it is told to, and takes that back, too', () => {
	const before = [{ order: 7, chatInput: 'of the agent' }, { order: 8 }];
	const waiting = entry(before);
	const items = markAsWaiting(waiting.context, GATE_ID, 0, { chatInput: 'not approved' });
	expect(items.map(({ json }) => json.chatInput)).toEqual(['not approved', 'not approved']);
	const again = reloaded(waiting);
	takeBackMark(again.context);
	expect(again.data.data.main[0]!.map(({ json }) => json)).toEqual(before);
});

it('leaves alone what this run did not mark, even if an item carries a gate id', () => {
	const fresh = entry([{ order: 7, approved: false, gateId: GATE_ID }]);
	expect(takeBackMark(fresh.context)).toBeUndefined();
	expect(fresh.data.data.main[0]![0]!.json).toEqual({ order: 7, approved: false, gateId: GATE_ID });
});
