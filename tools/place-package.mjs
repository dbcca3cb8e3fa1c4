/** Puts the built nodes where n8n looks for community packages, as npm would have installed them. */
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './paths.mjs';

const SHIPPED = ['package.json', 'dist/nodes', 'dist/credentials'];

/** @param {string} userFolder what n8n gets as N8N_USER_FOLDER */
export function placePackage(userFolder) {
	const target = join(userFolder, '.n8n', 'nodes', 'node_modules', 'n8n-nodes-durable');
	rmSync(target, { recursive: true, force: true });
	mkdirSync(target, { recursive: true });
	for (const path of SHIPPED) cpSync(join(ROOT, path), join(target, path), { recursive: true });
}
