/** Where things lie in this checkout. */
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
export const RUNTIME = join(ROOT, '.n8n-runtime');

/** Folder of the pinned n8n. N8N_RUNTIME_DIR lets several checkouts share one (it takes 1.9 GB). */
export const n8nFolder = () => resolve(process.env.N8N_RUNTIME_DIR || join(RUNTIME, 'n8n'));

/** The n8n command of that folder, to be run with {@link nodeRuntime}. */
export const n8nCommand = () => join(n8nFolder(), 'node_modules', 'n8n', 'bin', 'n8n');
