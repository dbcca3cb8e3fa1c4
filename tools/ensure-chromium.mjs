/** Finds a Chromium for the tests that look at pages as people do; installs Debian's where that is possible. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './paths.mjs';
import { runCommand } from './run-command.mjs';

const PLACES = [
	'/usr/bin/chromium',
	'/usr/bin/chromium-browser',
	'/usr/bin/google-chrome',
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
	'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** Path of a Chromium or Chrome, by CHROMIUM_PATH or in the usual places; undefined if there is none. */
export const chromiumPath = () =>
	[process.env.CHROMIUM_PATH, ...PLACES].find((path) => path && existsSync(path));

const needsChromium = () =>
	readdirSync(join(ROOT, 'test'), { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile() && entry.name.endsWith('.test.ts'))
		.some((entry) =>
			readFileSync(join(entry.parentPath ?? entry.path, entry.name), 'utf8').includes(
				'playwright-core',
			),
		);

export async function ensureChromium() {
	if (chromiumPath() || !needsChromium()) return;
	if (existsSync('/usr/bin/apt-get') && process.getuid?.() === 0) {
		await runCommand('Updating the package lists', 'apt-get', ['update'], { quiet: true });
		await runCommand(
			'Installing Chromium (for the tests of pages)',
			'apt-get',
			['install', '-y', '--no-install-recommends', 'chromium'],
			{ quiet: true, env: { DEBIAN_FRONTEND: 'noninteractive' } },
		);
		return;
	}
	console.log(
		'No Chromium found: the tests of pages will fail. Install Chromium or Chrome, or set CHROMIUM_PATH.',
	);
}
