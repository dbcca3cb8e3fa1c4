import { config as n8nCommunityNodes } from '@n8n/node-cli/eslint';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { layers } from './tools/lint/layers.mjs';

const PACKAGE_CODE = ['nodes/**/*.ts', 'credentials/**/*.ts'];

// The very plugin object that n8n's configuration registers: ESLint refuses a second one under its name.
const importX = n8nCommunityNodes.find((entry) => entry.plugins?.['import-x']).plugins['import-x'];

/** n8n's rules match every `.ts`; here they hold for what n8n will load and for the root package.json. */
const scopedToPackage = n8nCommunityNodes.map((entry) =>
	entry.files?.flat().includes('**/*.ts') ? { ...entry, files: PACKAGE_CODE } : entry,
);

export default defineConfig(
	globalIgnores([
		'**/dist/**',
		'**/node_modules/**',
		'**/coverage/**',
		'.n8n-runtime/**',
		'data/**',
		'docs/**',
	]),
	...scopedToPackage,
	{
		files: ['package.json'],
		rules: {
			// Author and homepage belong to whoever publishes. The overrides serve this repository's own
			// development: npm packs no lock file, and an installed package's overrides have no effect.
			'@n8n/community-nodes/valid-author': 'off',
			'@n8n/community-nodes/require-homepage': 'off',
			'@n8n/community-nodes/no-overrides-field': 'off',
			'n8n-nodes-base/community-package-json-author-missing': 'off',
		},
	},
	{
		files: ['service/**/*.ts', 'test/**/*.ts'],
		extends: [tseslint.configs.recommended],
		plugins: { 'import-x': importX },
		settings: { 'import-x/resolver-next': [createTypeScriptImportResolver()] },
		rules: {
			'@typescript-eslint/no-unused-vars': [
				'error',
				{ varsIgnorePattern: '^_', argsIgnorePattern: '^_', ignoreRestSiblings: true },
			],
		},
	},
	{
		// Tests read foreign JSON (n8n's API, answers that are wrong on purpose), where types would be fiction.
		files: ['test/**/*.ts'],
		rules: { '@typescript-eslint/no-explicit-any': 'off' },
	},
	...layers,
);
