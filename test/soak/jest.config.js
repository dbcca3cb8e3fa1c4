/** What `npm test` does a little of, for as long as `npm run soak` is told. Never run by `npm test`. */
const { join } = require('node:path');
const { projects } = require('../../jest.config.js');

const soak = (project, displayName) => ({
	...project,
	displayName,
	rootDir: join(__dirname, '..', '..'),
	roots: ['<rootDir>/test/soak'],
	testMatch: ['**/*.soak.ts'],
});

module.exports = {
	projects: [
		soak(projects[0], 'sqlite'),
		soak(
			projects.find(({ displayName }) => displayName === 'postgres'),
			'postgres',
		),
	],
};
