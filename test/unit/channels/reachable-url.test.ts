import { unreachableBecause } from '../../../service/channels/reachable-url';

test.each([
	'http://127.0.0.1:5690',
	'http://127.9.9.9',
	'http://localhost:5690',
	'http://localhost.:5690',
	'http://[::1]:5690',
	'http://10.1.2.3',
	'http://192.168.1.10/journal',
	'http://172.31.0.1',
	'http://169.254.1.1',
	'http://100.64.0.1',
	'http://[fd00::1]',
	'http://[fe80::1]',
	'http://[::ffff:10.0.0.1]',
	'http://0.0.0.0:5690',
	'http://journal:5690',
	'https://n8n.local',
	'https://journal.internal',
	'http://2130706433/',
	'ftp://example.com',
	'not a url',
	undefined,
])('a phone cannot open %s', (url) => expect(unreachableBecause(url)).toEqual(expect.any(String)));

test.each([
	'https://journal.example.com',
	'https://journal.example.com/path',
	'http://8.8.8.8:5690',
	'http://172.32.0.1',
	'https://[2606:4700::1111]',
	'https://localhost.example.com',
])('a phone can open %s', (url) => expect(unreachableBecause(url)).toBeUndefined());
