/** Takes the pictures of docs/images from a real n8n with the demo workflow. Run after a change that shows. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { ensureBuild } from './ensure-build.mjs';
import { chromiumPath } from './ensure-chromium.mjs';
import { ensureN8n } from './ensure-n8n.mjs';
import { main } from './explained.mjs';
import { ROOT } from './paths.mjs';
import { anyFreePort } from './ports.mjs';
import { demoHook, local, runDemo } from './run-demo.mjs';
import { createServices } from './services.mjs';

const IMAGES = join(ROOT, 'docs', 'images');
const WORKFLOW = 'durableTenSteps1';
/** Picture → node whose panel it shows. */
const PANELS = {
	'idempotent-tool-call': '4 Issue invoice',
	'durable-llm-step': '3 Draft contract',
	'approval-gate': '6 Approval Gate',
};
const OWNER = {
	email: 'owner@example.com',
	firstName: 'Demo',
	lastName: 'Owner',
	password: 'Screenshots-1',
};
const ORDER = {
	orderId: 'A-1001',
	company: 'Acme SL',
	taxId: 'B12345678',
	email: 'billing@example.com',
	amount: 490,
};

async function post(url, body) {
	const answer = await fetch(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
}

async function signIn(page, n8n) {
	await post(`${n8n}/rest/owner/setup`, OWNER);
	await page.goto(`${n8n}/signin`);
	await page.fill('input[name="emailOrLdapLoginId"]', OWNER.email);
	await page.fill('input[name="password"]', OWNER.password);
	await page.click('[data-test-id="form-submit-button"]');
	await page.waitForURL(/home|workflow/);
}

/** Waits until what the canvas shows no longer changes: it animates and fits itself to the window. */
async function settled(page) {
	await page.evaluate(() => document.fonts.ready);
	let before = '';
	for (;;) {
		const now = (await page.screenshot()).toString('base64');
		if (now === before) return;
		before = now;
		await page.waitForTimeout(300);
	}
}

async function openWorkflow(page, n8n) {
	await page.goto(`${n8n}/workflow/${WORKFLOW}`);
	await page.waitForSelector('[data-node-name="10 Update CRM"]');
	await page.keyboard.press('1');
	await settled(page);
}

/** The open gate on the journal's inbox, and then its approval, so that the workflow runs to its end. */
async function approve(page, journal, adminKeyFile) {
	const key = readFileSync(adminKeyFile, 'utf8').trim();
	await page.goto(`${journal}/inbox`);
	await page.fill('#name', 'Operator');
	await page.fill('#key', key);
	await page.keyboard.press('Enter');
	await page.waitForURL(/inbox$/);
	const gate = page.locator('a', { hasText: ORDER.company });
	// The list is a plain page: it shows the gate once the workflow got that far.
	while ((await gate.count()) === 0) {
		await page.waitForTimeout(500);
		await page.reload();
	}
	await gate.first().click();
	const approval = page.locator('button[value="approve"]');
	await approval.waitFor();
	await settled(page);
	await page.screenshot({ path: join(IMAGES, 'decision-page.png') });
	await approval.click();
	await page.waitForLoadState();
}

/** A node's panel with what went in and came out, in the newest execution. */
async function takePanel(page, n8n, node, picture) {
	await page.goto(`${n8n}/workflow/${WORKFLOW}/executions`);
	await page.waitForURL(/executions\/\d+/);
	await page.waitForSelector(`[data-node-name="${node}"]`);
	await settled(page);
	await page.dblclick(`[data-node-name="${node}"]`);
	await page.waitForSelector('[data-test-id="node-parameters"], [data-test-id="ndv"]');
	await settled(page);
	await page.screenshot({ path: join(IMAGES, `${picture}.png`) });
	console.log(`✓ ${picture}.png`);
}

/** The example for agents: its canvas, and the panel of the node between the agent and its tools. */
async function takeAgent(page, n8n) {
	const example = JSON.parse(readFileSync(join(ROOT, 'examples', 'agent-tools.json'), 'utf8'));
	const id = await page.evaluate(async (workflow) => {
		const answer = await fetch('/rest/workflows', {
			method: 'POST',
			headers: {
				'content-type': 'application/json',
				'browser-id': localStorage.getItem('n8n-browserId'),
			},
			body: JSON.stringify(workflow),
		});
		return (await answer.json()).data.id;
	}, example);
	await page.goto(`${n8n}/workflow/${id}`);
	await page.waitForSelector('[data-node-name="Idempotent Tools"]');
	await page.keyboard.press('1');
	await settled(page);
	await page.screenshot({ path: join(IMAGES, 'agent-tools.png') });
	await page.dblclick('[data-node-name="Idempotent Tools"]');
	await page.waitForSelector('[data-test-id="node-parameters"], [data-test-id="ndv"]');
	await settled(page);
	await page.screenshot({ path: join(IMAGES, 'idempotent-tools.png') });
	console.log('✓ agent-tools.png, idempotent-tools.png');
}

async function take(page, ports, adminKeyFile) {
	const n8n = local(ports.n8n);
	await page.setViewportSize({ width: 1000, height: 760 });
	await post(demoHook(ports), ORDER);
	await approve(page, local(ports.journal), adminKeyFile);
	await page.goto(local(ports.standIns));
	await page.waitForFunction(() => document.body.innerText.includes('CRM updated'));
	await page.screenshot({ path: join(IMAGES, 'what-really-happened.png'), fullPage: true });

	await signIn(page, n8n);
	await page.setViewportSize({ width: 1680, height: 900 });
	await openWorkflow(page, n8n);
	await page.screenshot({ path: join(IMAGES, 'workflow.png') });
	await page.setViewportSize({ width: 1440, height: 860 });
	for (const [picture, node] of Object.entries(PANELS)) await takePanel(page, n8n, node, picture);
	await takeAgent(page, n8n);
}

main(async () => {
	await ensureBuild();
	await ensureN8n();
	mkdirSync(IMAGES, { recursive: true });
	const folder = mkdtempSync(join(tmpdir(), 'durable-screenshots-'));
	const ports = {
		n8n: await anyFreePort(),
		journal: await anyFreePort(),
		standIns: await anyFreePort(),
	};
	const services = createServices();
	let browser;
	try {
		const { adminKeyFile } = await runDemo(services, {
			ports,
			dataFolder: join(folder, 'data'),
			userFolder: join(folder, 'home'),
			logFolder: join(folder, 'logs'),
		});
		browser = await chromium.launch({
			executablePath: chromiumPath(),
			args: ['--no-sandbox', '--disable-dev-shm-usage'],
		});
		const page = await browser.newPage({ deviceScaleFactor: 1 });
		page.setDefaultTimeout(60_000);
		await take(page, ports, adminKeyFile);
	} finally {
		await browser?.close();
		await services.stop();
		rmSync(folder, { recursive: true, force: true });
	}
});
