import { durableOutput } from '../../../nodes/shared/durable-output';
import { withoutDurable } from '../../../nodes/shared/without-durable';

const durable = (replayed: boolean) =>
	durableOutput(
		{ runId: 'r', step: 's' },
		{ key: 'a'.repeat(64), attempt: 1, replayed, completedAt: '2027-06-01T09:00:00.000Z' },
	);

it('makes the first try and its replay look alike, at any depth', () => {
	const input = (replayed: boolean) => ({
		id: 7,
		durable: durable(replayed),
		items: [{ id: 8, durable: durable(replayed) }],
	});
	expect(withoutDurable(input(true))).toEqual({ id: 7, items: [{ id: 8 }] });
	expect(withoutDurable(input(true))).toEqual(withoutDurable(input(false)));
});

it('leaves what is only named alike', () => {
	const input = { durable: true, goods: { durable: { run: 'r', slot: 's' } }, at: new Date(0) };
	expect(withoutDurable(input)).toEqual(input);
});

it('does not change what it was given', () => {
	const input = { durable: durable(false) };
	withoutDurable(input);
	expect(input).toHaveProperty('durable');
});
