/**
 * The layers of ARCHITECTURE.md as lint rules: imports go one way only.
 * Each entry names what a folder may see; everything else is an error. The plugins these rules
 * belong to are registered by eslint.config.mjs.
 */
/** Folders of service/ that each folder may import from, besides itself. */
const SEES = {
	contract: [],
	domain: ['contract'],
	store: ['contract', 'domain'],
	journal: ['contract', 'domain', 'store'],
	http: ['contract', 'domain', 'journal'],
	inbox: ['contract', 'domain', 'journal'],
	channels: ['contract', 'domain', 'journal'],
	workers: ['contract', 'domain', 'journal'],
	n8n: ['contract', 'domain'],
};

const serviceZones = Object.entries(SEES).map(([folder, seen]) => ({
	target: `./service/${folder}`,
	from: '.',
	except: [folder, ...seen]
		.map((name) => `./service/${name}`)
		.concat('./node_modules', './service/node_modules'),
	message: `service/${folder} may import ${[...seen, 'its own files'].join(', ')} only.`,
}));

const nodeZones = ['nodes', 'credentials'].map((folder) => ({
	target: `./${folder}`,
	from: '.',
	except: ['./nodes', './credentials', './service/contract', './node_modules'],
	message: `${folder} may import n8n-workflow, relatives and types of service/contract only.`,
}));

const rootZone = {
	target: './service',
	from: ['./nodes', './credentials', './test', './tools'],
	message: 'The service knows nothing of nodes, tests or tools.',
};

const packagesOtherThan = (names, message) => ({
	regex: `^(?!\\.|(?:${names.join('|')})$)`,
	message,
});
const contractValues = {
	regex: '(^|/)contract/',
	allowTypeImports: true,
	message: 'Import types of the contract only (import type).',
};

/** node-version.ts refuses an older Node.js before anything else is loaded. */
const TOUCH_PROCESS = ['main', 'config', 'cli', 'node-version'].map((name) => `service/${name}.ts`);
const NO_PROCESS = 'Only service/main.ts, config.ts and cli.ts touch the process; pass values in.';

export const layers = [
	{
		files: ['nodes/**/*.ts', 'credentials/**/*.ts', 'service/**/*.ts'],
		rules: {
			'import-x/no-restricted-paths': [
				'error',
				{ zones: [...nodeZones, ...serviceZones, rootZone] },
			],
		},
	},
	{
		files: ['nodes/**/*.ts', 'credentials/**/*.ts'],
		rules: {
			'@typescript-eslint/no-restricted-imports': [
				'error',
				{
					patterns: [
						packagesOtherThan(['n8n-workflow'], 'Nodes run inside n8n: n8n-workflow only.'),
						contractValues,
					],
				},
			],
		},
	},
	{
		files: ['service/domain/**/*.ts'],
		rules: {
			'@typescript-eslint/no-restricted-imports': [
				'error',
				{
					patterns: [
						packagesOtherThan(
							['node:crypto', 'luxon', 'typebox/schema'],
							'The domain is pure: node:crypto, luxon and typebox/schema only.',
						),
						contractValues,
					],
				},
			],
			'no-restricted-globals': [
				'error',
				{ name: 'process', message: NO_PROCESS },
				{ name: 'setTimeout', message: 'The domain has no clock.' },
				{ name: 'setInterval', message: 'The domain has no clock.' },
			],
		},
	},
	{
		files: ['service/**/*.ts'],
		ignores: [...TOUCH_PROCESS, 'service/domain/**'],
		rules: {
			'no-restricted-globals': ['error', { name: 'process', message: NO_PROCESS }],
			'@typescript-eslint/no-restricted-imports': [
				'error',
				{
					paths: [
						{ name: 'node:process', message: NO_PROCESS },
						{ name: 'process', message: NO_PROCESS },
					],
				},
			],
		},
	},
];
