/** Ratios first, each beside its target; then the tables. */

/** `met`, or by how much it is missed. */
export function verdict({ value, atMost, atLeast }) {
	if (atMost !== undefined && value > atMost)
		return `missed: ${(value / atMost).toFixed(2)} × the target`;
	if (atLeast !== undefined && value < atLeast)
		return `missed: ${((value / atLeast) * 100).toFixed(0)} % of the target`;
	return 'met';
}

const target = ({ atMost, atLeast, unit }) =>
	atMost !== undefined ? `≤ ${atMost} ${unit}` : `≥ ${atLeast} ${unit}`;

const milliseconds = (value) => (value === undefined ? '' : value.toFixed(value < 10 ? 3 : 1));

/** Rows of strings as columns of equal width. */
function columns(rows) {
	const names = Object.keys(rows[0]);
	const width = (name) => Math.max(name.length, ...rows.map((row) => row[name].length));
	const widths = names.map(width);
	const line = (cells) =>
		cells
			.map((cell, index) => (index ? cell.padStart(widths[index]) : cell.padEnd(widths[0])))
			.join('  ');
	return [line(names), ...rows.map((row) => line(Object.values(row)))].join('\n');
}

const ratioRow = (ratio) => ({
	ratio: ratio.name,
	measured: `${ratio.value.toFixed(2)} ${ratio.unit}`,
	target: target(ratio),
	'': verdict(ratio),
});

const figureRow = ({ what, callers, p50Ms, p99Ms, maxMs, perSecond }) => ({
	what,
	callers: String(callers),
	'p50 ms': milliseconds(p50Ms),
	'p99 ms': milliseconds(p99Ms),
	'max ms': milliseconds(maxMs),
	'per second': perSecond === undefined ? '' : String(Math.round(perSecond)),
});

/** The whole report as text. */
export function report({ machine, ratios, tables, notes }) {
	const { cores, model, node, postgres, syncMs, loadAtStart } = machine;
	const head = [
		`${cores} cores (${model}), Node.js ${node}${postgres ? `, PostgreSQL ${postgres}` : ''};`,
		`one sync of the disk ${syncMs.toFixed(3)} ms; load at start ${loadAtStart.toFixed(1)}.`,
		'Medians of interleaved rounds; the longest is of all rounds.',
		...notes,
	].join('\n');
	const parts = [head];
	if (ratios.length > 0) parts.push(columns(ratios.map(ratioRow)));
	for (const { title, rows } of tables) parts.push(`${title}\n${columns(rows.map(figureRow))}`);
	return parts.join('\n\n');
}
