import { parseCommand } from '../../../service/commands/usage';

test.each([
	[[], { name: 'serve' }],
	[['serve'], { name: 'serve' }],
	[['--help'], { name: 'help' }],
	[['backup', '-h'], { name: 'help' }],
	[['--version'], { name: 'version' }],
	[['backup', 'a.db'], { name: 'backup', file: 'a.db' }],
	[['restore', 'a.db'], { name: 'restore', file: 'a.db', force: false }],
	[['restore', '--force', 'a.db'], { name: 'restore', file: 'a.db', force: true }],
])('%j', (args, command) => expect(parseCommand(args)).toEqual(command));

test.each([
	[['prune'], /no command "prune"/],
	[['backup'], /backup takes one file/],
	[['backup', 'a', 'b'], /backup takes one file/],
	[['restore'], /restore takes one file/],
	[['serve', 'a'], /serve takes no arguments/],
	[['backup', 'a', '--force'], /--force belongs to restore/],
	[['--quiet'], /--quiet/],
])('%j is wrong use', (args, problem) =>
	expect(parseCommand(args)).toEqual({ name: 'wrong', problem: expect.stringMatching(problem) }),
);
