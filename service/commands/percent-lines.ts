/** Reports progress (0 to 1) as a line for each tenth. */
export function percentLines(verb: string, say: (line: string) => void): (done: number) => void {
	let said = 0;
	return (done) => {
		const tenths = Math.floor(done * 10);
		if (tenths <= said) return;
		said = tenths;
		say(`${verb} ${tenths * 10} %`);
	};
}
