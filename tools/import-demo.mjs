/** Puts the demo workflow and its credentials into an n8n that is not running, once per version of it. */
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { n8nCommand, ROOT } from './paths.mjs';
import { nodeRuntime } from './node-runtime.mjs';
import { runCommand } from './run-command.mjs';

const WORKFLOW = join(ROOT, 'examples', 'ten-steps.json');
/** Where the example looks for the stand-ins when somebody imports it by hand. */
const USUAL_STAND_INS = 'http://127.0.0.1:5700';

/** The two credentials that the demo workflow names, by the ids it names them with. */
const credentials = ({ journalUrl, apiKey, standInsUrl }) => [
	{
		id: 'durableJournal01',
		name: 'Journal',
		type: 'journalApi',
		data: { baseUrl: journalUrl, apiKey },
	},
	{
		id: 'durableModel0001',
		name: 'Stand-in model',
		type: 'openAiApi',
		data: { apiKey: 'the-stand-in-needs-none', url: `${standInsUrl}/v1` },
	},
];

/**
 * Imports with n8n's own commands, which need no owner account: that is made by whoever opens the editor first.
 * @param {{ userFolder: string, env: Record<string, string>, journalUrl: string, apiKey: string, standInsUrl: string }} where
 */
export async function importDemo({ userFolder, env, ...addresses }) {
	const workflow = readFileSync(WORKFLOW, 'utf8').replaceAll(
		USUAL_STAND_INS,
		addresses.standInsUrl,
	);
	const stored = credentials(addresses);
	const version = createHash('sha256')
		.update(workflow + JSON.stringify(stored))
		.digest('hex');
	const stamp = join(userFolder, '.demo-imported');
	if (existsSync(stamp) && readFileSync(stamp, 'utf8') === version) return;

	// The credentials lie in plain text here for a moment: a folder only this user can read.
	const folder = mkdtempSync(join(tmpdir(), 'durable-demo-'));
	const n8n = (title, ...args) =>
		runCommand(title, nodeRuntime(), [n8nCommand(), ...args], {
			cwd: userFolder,
			env,
			quiet: true,
		});
	try {
		const credentialsFile = join(folder, 'credentials.json');
		const workflowFile = join(folder, 'workflow.json');
		writeFileSync(credentialsFile, JSON.stringify(stored), { mode: 0o600 });
		writeFileSync(workflowFile, workflow);
		await n8n("Preparing n8n's database", 'import:credentials', `--input=${credentialsFile}`);
		await n8n('Importing the demo workflow', 'import:workflow', `--input=${workflowFile}`);
		await n8n('Publishing it', 'publish:workflow', `--id=${JSON.parse(workflow).id}`);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
	writeFileSync(stamp, version);
}
