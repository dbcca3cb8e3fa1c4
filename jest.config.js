const { existsSync } = require('node:fs');
const { join } = require('node:path');

/**
 * unit (pure, SQLite in memory), model (random histories), integration (real journal processes,
 * n8n-core), crash (kill -9), e2e (a real n8n), postgres (a real PostgreSQL server).
 */
const base = {
	testEnvironment: 'node',
	transform: {
		'\\.m?[jt]s$': [
			'@swc/jest',
			{
				jsc: { target: 'es2023', parser: { syntax: 'typescript' } },
				module: { type: 'commonjs' },
			},
		],
	},
	// These ship ES modules only; jest's own loader needs them as CommonJS.
	transformIgnorePatterns: [
		'/node_modules/(?!(typebox|@fastify/type-provider-typebox|cookie|content-disposition)/)',
	],
	modulePathIgnorePatterns: [
		'<rootDir>/dist/',
		'<rootDir>/service/dist/',
		'<rootDir>/.n8n-runtime/',
	],
};
const project = (name) => ({ ...base, displayName: name, roots: [`<rootDir>/test/${name}`] });
/** What goes through a store is run once more on a PostgreSQL server that they share. */
const postgres = {
	...base,
	displayName: 'postgres',
	roots: ['postgres', 'unit/http', 'unit/journal', 'unit/inbox', 'unit/workers', 'model'].map(
		(path) => `<rootDir>/test/${path}`,
	),
	globals: { STORE: 'postgres' },
	globalSetup: '<rootDir>/test/postgres/start.ts',
	globalTeardown: '<rootDir>/test/postgres/stop.ts',
};

module.exports = {
	projects: ['unit', 'model', 'integration', 'crash', 'e2e']
		// git keeps no empty folder, and jest refuses a missing one.
		.filter((name) => existsSync(join(__dirname, 'test', name)))
		.map(project)
		.concat(postgres),
	testTimeout: 30_000,
};
