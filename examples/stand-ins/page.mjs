/** The page of `GET /`: totals, one row an order, what happened last. Asks /counts every second. */
export const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>What really happened</title>
<style>
	:root { color-scheme: light dark; --bg: #f6f7f9; --card: #fff; --ink: #1c2430; --soft: #647084; --line: #e2e6ec; --good: #12805c; --goodbg: #e3f5ee; --bad: #c62f2f; --badbg: #fdeaea; }
	@media (prefers-color-scheme: dark) { :root { --bg: #11151b; --card: #1a2029; --ink: #e8ecf2; --soft: #93a0b4; --line: #2a323e; --good: #4cc79b; --goodbg: #12312a; --bad: #ff7b7b; --badbg: #3a1a1c; } }
	* { box-sizing: border-box; }
	body { margin: 0; background: var(--bg); color: var(--ink); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; }
	main { max-width: 1060px; margin: 0 auto; padding: 32px 20px 60px; }
	header { display: flex; gap: 16px; align-items: baseline; justify-content: space-between; flex-wrap: wrap; }
	h1 { font-size: 26px; margin: 0; letter-spacing: -0.01em; }
	h2 { font-size: 15px; margin: 34px 0 10px; color: var(--soft); font-weight: 600; }
	p { margin: 4px 0 0; color: var(--soft); }
	button { font: inherit; padding: 6px 14px; border-radius: 8px; border: 1px solid var(--line); background: var(--card); color: var(--ink); cursor: pointer; }
	.verdict { margin: 22px 0 18px; padding: 14px 18px; border-radius: 12px; font-weight: 600; background: var(--goodbg); color: var(--good); }
	.verdict.bad { background: var(--badbg); color: var(--bad); }
	.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: 12px; }
	.card { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 14px 16px; }
	.card b { display: block; font-size: 30px; line-height: 1.15; font-variant-numeric: tabular-nums; }
	.card span { color: var(--soft); font-size: 13px; }
	.sheet { background: var(--card); border: 1px solid var(--line); border-radius: 12px; overflow-x: auto; }
	table { border-collapse: collapse; width: 100%; }
	th, td { text-align: left; padding: 9px 16px; border-bottom: 1px solid var(--line); white-space: nowrap; }
	tr:last-child td { border-bottom: 0; }
	th { font-size: 12.5px; color: var(--soft); font-weight: 600; }
	td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
	td.what { white-space: normal; }
	.twice { color: var(--bad); font-weight: 700; }
	.none { color: var(--soft); padding: 16px; }
</style>
</head>
<body>
<main>
	<header>
		<div><h1>What really happened</h1><p>Counted by the receivers themselves: ERP, invoicing, mail, CRM and the language model.</p></div>
		<button id="reset">Start counting anew</button>
	</header>
	<div class="verdict" id="verdict">…</div>
	<div class="cards" id="cards"></div>
	<h2>By order</h2>
	<div class="sheet" id="orders"></div>
	<h2>Latest first</h2>
	<div class="sheet" id="events"></div>
</main>
<script>
	const escape = (value) => String(value).replace(/[&<>"']/g, (c) => '&#' + c.charCodeAt(0) + ';');
	const COLUMNS = [['invoice', 'Invoices'], ['mail', 'Mails'], ['contract', 'Contracts'], ['crm', 'CRM updates'], ['model', 'Model calls']];
	function show(c) {
		const t = c.totals;
		const verdict = document.getElementById('verdict');
		verdict.classList.toggle('bad', c.doubled.length > 0);
		verdict.textContent = c.doubled.length
			? 'Done more than once: ' + c.doubled.map((d) => d.label.replace(/^[0-9a-f]{12} /, 'model: ') + ' ×' + d.count + ' (' + d.ref + ')').join(', ')
			: c.effects.length ? 'Nothing happened twice.' : 'Nothing happened yet. Trigger the demo workflow.';
		document.getElementById('cards').innerHTML = [
			[t.invoices, 'invoices issued'], [t.mails, 'mails sent'], [t.contracts, 'contracts registered'],
			[t.crmUpdates, 'CRM updates'], [t.modelCalls, 'model calls paid'], ['$' + c.modelCostUsd.toFixed(2), 'spent on the model'],
		].map(([n, l]) => '<div class="card"><b>' + n + '</b><span>' + l + '</span></div>').join('');
		const rows = new Map();
		for (const e of c.effects) {
			const row = rows.get(e.ref) || rows.set(e.ref, {}).get(e.ref);
			const k = (row[e.kind] = row[e.kind] || { n: 0, twice: false });
			k.n += e.count; k.twice = k.twice || (e.kind !== 'lookup' && e.count > 1);
		}
		rows.forEach((row, ref) => { if (!COLUMNS.some(([k]) => row[k])) rows.delete(ref); });
		document.getElementById('orders').innerHTML = rows.size
			? '<table><tr><th>Order</th>' + COLUMNS.map(([, l]) => '<th class="n">' + l + '</th>').join('') + '</tr>' +
				[...rows].map(([ref, row]) => '<tr><td>' + escape(ref) + '</td>' + COLUMNS.map(([k]) => {
					const v = row[k]; return '<td class="n' + (v && v.twice ? ' twice' : '') + '">' + (v ? v.n + (v.twice ? ' – twice!' : '') : '–') + '</td>';
				}).join('') + '</tr>').join('') + '</table>'
			: '<div class="none">No orders yet.</div>';
		document.getElementById('events').innerHTML = c.events.length
			? '<table>' + c.events.slice(0, 40).map((e) => '<tr><td>' + escape(e.at.slice(11, 19)) + '</td><td>' + escape(e.ref) + '</td><td class="what' + (e.count > 1 && e.kind !== 'lookup' ? ' twice' : '') + '">' + escape(e.kind === 'model' ? 'model asked: ' + e.label.slice(13) : e.label) + (e.count > 1 ? ' (time ' + e.count + ')' : '') + '</td></tr>').join('') + '</table>'
			: '<div class="none">Nothing yet.</div>';
	}
	async function refresh() {
		try { show(await (await fetch('/counts')).json()); }
		catch { document.getElementById('verdict').textContent = 'The stand-ins do not answer.'; }
		setTimeout(refresh, 1000);
	}
	document.getElementById('reset').onclick = () => fetch('/reset', { method: 'POST' });
	refresh();
</script>
</body>
</html>
`;
