import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError, readConfig } from '../../../service/config';

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'durable-config-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const read = (environment: Record<string, string> = {}) =>
	readConfig({ JOURNAL_DATABASE: `sqlite:${join(folder, 'data', 'journal.db')}`, ...environment });
const problemsOf = (environment: Record<string, string>): readonly string[] => {
	try {
		read(environment);
	} catch (error) {
		if (error instanceof ConfigError) return error.problems;
		throw error;
	}
	return [];
};

test('with nothing set: loopback, one key for both on this machine, secrets kept with mode 600', () => {
	const first = read();
	expect(first).toMatchObject({
		host: '127.0.0.1',
		port: 5690,
		publicUrl: 'http://127.0.0.1:5690',
		logLevel: 'info',
	});
	expect(first.adminKey).toBe(first.apiKey);
	expect(first.telegram).toBeUndefined();
	for (const suffix of ['api-key', 'secret']) {
		const file = join(folder, 'data', `journal.db.${suffix}`);
		expect(statSync(file).mode & 0o777).toBe(0o600);
		expect(first.generated.join()).toContain(file);
		expect(first.generated.join()).not.toContain(readFileSync(file, 'utf8'));
	}
	const second = read();
	expect([second.apiKey, second.secret]).toEqual([first.apiKey, first.secret]);
});

test('a wrong port is one line, not one for the address made of it too', () => {
	expect(problemsOf({ JOURNAL_PORT: 'many' })).toHaveLength(1);
});

test('a kept secret that a crash left empty is no secret', () => {
	read();
	const file = join(folder, 'data', 'journal.db.secret');
	writeFileSync(file, '');
	expect(problemsOf({})).toEqual([expect.stringContaining(file)]);
});

test('reachable from elsewhere: the admin key is another one', () => {
	const config = read({ JOURNAL_HOST: '0.0.0.0', JOURNAL_API_KEY: 'api-key-of-16-characters' });
	expect(config.adminKey).not.toBe(config.apiKey);
	expect(config.publicUrl).toBe('http://127.0.0.1:5690');
});

test.each([
	['JOURNAL_PORT', 'many'],
	['JOURNAL_PORT', '70000'],
	['JOURNAL_DATABASE', 'mysql://localhost/x'],
	['JOURNAL_DATABASE', 'postgres://no port:x/'],
	['JOURNAL_PUBLIC_URL', 'journal.example.com'],
	['N8N_RESUME_BASE', 'ftp://n8n'],
	['JOURNAL_PUBLIC_URL', 'https://journal.example.com/?tenant=1'],
	['JOURNAL_PUBLIC_URL', 'https://journal.example.com/#inbox'],
	['JOURNAL_PUBLIC_URL', 'https://journal.example.com?'],
	['N8N_RESUME_BASE', 'http://n8n:5678/?x=1'],
	['N8N_API_URL', 'http://n8n:5678#api'],
	['TELEGRAM_API_ROOT', 'http://bots:8081/?x'],
	['JOURNAL_RETENTION_DAYS', '-1'],
	['JOURNAL_RETENTION_DAYS', '1.5'],
	['JOURNAL_RETENTION_DAYS', 'month'],
	['JOURNAL_AUDIT_DAYS', '36501'],
	['N8N_API_URL', 'not a url'],
	['TELEGRAM_API_ROOT', 'telegram'],
	['TELEGRAM_BOT_TOKEN', 'abc'],
	['JOURNAL_LOG_LEVEL', 'loud'],
	['JOURNAL_API_KEY', 'short'],
	['SLACK_BOT_TOKEN', 'xoxb-1'],
	['SMTP_URL', 'smtp://localhost'],
])('%s=%s is refused by name', (name, value) => {
	const problems = problemsOf({ [name]: value });
	expect(problems.some((line) => line.startsWith(`${name} `))).toBe(true);
});

test('every bad value has a line of its own, and none repeats what may be secret', () => {
	const problems = problemsOf({
		JOURNAL_PORT: '0',
		TELEGRAM_BOT_TOKEN: 'the-secret-token',
		JOURNAL_SECRET: 'tiny-secret',
	});
	expect(problems).toHaveLength(3);
	expect(problems.join()).not.toMatch(/the-secret-token|tiny-secret/);
});

test('runs are kept for 30 days and their audits for a year, unless said otherwise; 0 is for ever', () => {
	expect(read().retention).toEqual({ runDays: 30, auditDays: 365 });
	const given = read({ JOURNAL_RETENTION_DAYS: '0', JOURNAL_AUDIT_DAYS: '7' }).retention;
	expect(given).toEqual({ runDays: 0, auditDays: 7 });
});

test('empty values count as unset', () => {
	expect(read({ JOURNAL_PORT: '', TELEGRAM_BOT_TOKEN: ' ' }).port).toBe(5690);
});

describe('on PostgreSQL', () => {
	const given = {
		JOURNAL_DATABASE: 'postgres://journal:pass-word@db.example:5432/journal',
		JOURNAL_API_KEY: 'api-key-of-16-characters',
		JOURNAL_SECRET: 'secret-of-16-characters!',
	};

	test('nothing is made at random: every journal that shares the database must have the same', () => {
		const config = read(given);
		expect(config.database).toEqual({ kind: 'postgres', url: given.JOURNAL_DATABASE });
		expect(config.generated).toEqual([]);
	});

	test.each([
		['JOURNAL_SECRET', {}],
		['JOURNAL_API_KEY', {}],
		['JOURNAL_ADMIN_KEY', { JOURNAL_HOST: '0.0.0.0' }],
	])('a missing %s is refused by name, and the password is not told', (name, others) => {
		const environment = { ...given, ...others, [name]: '' };
		expect(() => read(environment)).toThrow(new RegExp(`^${name} must be set`));
		expect(() => read(environment)).not.toThrow(/pass-word/);
	});
});
