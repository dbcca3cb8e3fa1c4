/** Measurements that need the tests' control of a real n8n. Run by `npm run bench`, never by `npm test`. */
const { projects } = require('../../jest.config.js');

module.exports = {
	...projects[0],
	displayName: 'bench',
	rootDir: '../..',
	roots: ['<rootDir>/test/bench'],
	testMatch: ['**/*.bench.ts'],
};
