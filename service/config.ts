import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { dirname, resolve } from 'node:path';

export interface Config {
	readonly host: string;
	readonly port: number;
	readonly database: DatabaseAddress;
	readonly apiKey: string;
	readonly adminKey: string;
	readonly secret: Buffer;
	/** Origin (and path) of decision pages, without a trailing slash. */
	readonly publicUrl: string;
	readonly telegram: TelegramConfig | undefined;
	/** Replaces all before `/webhook-waiting/` of a resume URL. */
	readonly resumeBase: string | undefined;
	/** n8n's public API: tells a running execution from a finished one. */
	readonly n8nApi: { readonly url: string; readonly key: string } | undefined;
	/** Days after which runs, and then their tombstones and audits, are removed; 0: never. */
	readonly retention: { readonly runDays: number; readonly auditDays: number };
	readonly logLevel: string;
	/** Where keys and secret were made at random, for the log; never their values. */
	readonly generated: readonly string[];
}

/** Where the journal is kept. A PostgreSQL address may hold a password: it is never logged. */
export type DatabaseAddress =
	| { readonly kind: 'sqlite'; readonly file: string }
	| { readonly kind: 'postgres'; readonly url: string };

export interface TelegramConfig {
	readonly botToken: string;
	readonly apiRoot: string;
	readonly chatId: string | undefined;
}

/** Every wrong variable in one line of its own. */
export class ConfigError extends Error {
	override readonly name = 'ConfigError';
	constructor(readonly problems: readonly string[]) {
		super(problems.join('\n'));
	}
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Named in the contract of the environment, but belonging to channels of a later version. */
const NOT_YET = ['SLACK_BOT_TOKEN', 'SLACK_SIGNING_SECRET', 'SMTP_URL'];
const DEFAULT_DATABASE = 'sqlite:./data/journal.db';
const MIN_SECRET_LENGTH = 16;
const MAX_DAYS = 36_500;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** Files beside an SQLite database that hold what was made at random; the backup takes them along. */
export const KEPT_SUFFIXES = {
	secret: 'secret',
	apiKey: 'api-key',
	adminKey: 'admin-key',
} as const;

/**
 * Where the journal is kept, for commands that start nothing and make nothing.
 * @throws ConfigError
 */
export function readDatabaseAddress(environment: Environment): DatabaseAddress {
	const text = environment['JOURNAL_DATABASE']?.trim() || DEFAULT_DATABASE;
	if (/^sqlite:.+/.test(text)) return { kind: 'sqlite', file: resolve(text.slice(7)) };
	if (/^postgres(ql)?:/.test(text) && URL.canParse(text)) return { kind: 'postgres', url: text };
	throw new ConfigError([
		'JOURNAL_DATABASE must be sqlite:<file>, for example sqlite:./data/journal.db, or postgres://user:password@host:5432/database.',
	]);
}

/**
 * Reads the configuration. On SQLite a missing key or secret is made at random and kept beside the
 * database with mode 600; on PostgreSQL, where several processes must have the same, it is refused.
 * @throws ConfigError with one clear line for each bad value
 */
export function readConfig(environment: Environment): Config {
	const problems: string[] = [];
	const value = (name: string) => environment[name]?.trim() || undefined;
	const check = (name: string, holds: boolean, sentence: string) => {
		if (!holds) problems.push(`${name} ${sentence}`);
	};

	const host = value('JOURNAL_HOST') ?? '127.0.0.1';
	const port = Number(value('JOURNAL_PORT') ?? '5690');
	check('JOURNAL_PORT', Number.isInteger(port) && port > 0 && port < 65_536, 'must be 1 to 65535.');

	const address = databaseAddress(environment, problems);
	const onPostgres = address?.kind === 'postgres';
	const days = (name: string, otherwise: number) => {
		const given = Number(value(name) ?? otherwise);
		check(
			name,
			Number.isInteger(given) && given >= 0 && given <= MAX_DAYS,
			`must be a number of days from 0 (never) to ${MAX_DAYS}.`,
		);
		return given;
	};
	const retention = {
		runDays: days('JOURNAL_RETENTION_DAYS', 30),
		auditDays: days('JOURNAL_AUDIT_DAYS', 365),
	};

	// Paths are appended to these: behind a query or a fragment nobody would find them.
	for (const name of ['JOURNAL_PUBLIC_URL', 'N8N_RESUME_BASE', 'N8N_API_URL', 'TELEGRAM_API_ROOT'])
		check(
			name,
			isBaseUrl(value(name) ?? 'http://unset'),
			'must be an http or https URL without query and fragment.',
		);
	const publicUrl = value('JOURNAL_PUBLIC_URL') ?? defaultPublicUrl(host, port);
	const resumeBase = value('N8N_RESUME_BASE');
	const n8nUrl = value('N8N_API_URL');
	const n8nKey = value('N8N_API_KEY');
	check('N8N_API_KEY', !n8nUrl === !n8nKey, 'and N8N_API_URL must be set together.');
	const apiRoot = value('TELEGRAM_API_ROOT') ?? 'https://api.telegram.org';
	const botToken = value('TELEGRAM_BOT_TOKEN');
	check(
		'TELEGRAM_BOT_TOKEN',
		!botToken || /^\d+:[\w-]+$/.test(botToken),
		'must look like 123456:ABC-DEF, as BotFather gives it.',
	);
	const logLevel = value('JOURNAL_LOG_LEVEL') ?? 'info';
	check(
		'JOURNAL_LOG_LEVEL',
		LOG_LEVELS.includes(logLevel),
		`must be one of ${LOG_LEVELS.join(', ')}.`,
	);
	for (const name of ['JOURNAL_API_KEY', 'JOURNAL_ADMIN_KEY', 'JOURNAL_SECRET'])
		check(
			name,
			(value(name)?.length ?? MIN_SECRET_LENGTH) >= MIN_SECRET_LENGTH,
			`must have at least ${MIN_SECRET_LENGTH} characters.`,
		);
	const needed = ['JOURNAL_API_KEY', 'JOURNAL_SECRET'];
	if (!isLoopback(host)) needed.push('JOURNAL_ADMIN_KEY');
	for (const name of onPostgres ? needed : [])
		check(
			name,
			value(name) !== undefined,
			'must be set on PostgreSQL, to the same value for every journal that shares the database.',
		);
	for (const name of NOT_YET)
		check(name, !value(name), 'is set, but this version has no such channel: remove it.');
	if (!address || problems.length > 0) throw new ConfigError(problems);

	const generated: string[] = [];
	const keep = (name: string, suffix: string) =>
		value(name) ??
		(address.kind === 'sqlite' ? keptSecret(name, `${address.file}.${suffix}`, generated) : '');
	// What is journaled may be private: a new folder is for this user alone.
	if (address.kind === 'sqlite') mkdirSync(dirname(address.file), { recursive: true, mode: 0o700 });
	const apiKey = keep('JOURNAL_API_KEY', KEPT_SUFFIXES.apiKey);
	return {
		host,
		port,
		database: address,
		apiKey,
		adminKey:
			value('JOURNAL_ADMIN_KEY') ??
			(isLoopback(host) ? apiKey : keep('JOURNAL_ADMIN_KEY', KEPT_SUFFIXES.adminKey)),
		secret: Buffer.from(keep('JOURNAL_SECRET', KEPT_SUFFIXES.secret), 'utf8'),
		publicUrl: publicUrl.replace(/\/+$/, ''),
		telegram: botToken
			? { botToken, apiRoot: apiRoot.replace(/\/+$/, ''), chatId: value('TELEGRAM_CHAT_ID') }
			: undefined,
		resumeBase: resumeBase?.replace(/\/+$/, ''),
		n8nApi: n8nUrl && n8nKey ? { url: n8nUrl, key: n8nKey } : undefined,
		retention,
		logLevel,
		generated,
	};
}

function databaseAddress(
	environment: Environment,
	problems: string[],
): DatabaseAddress | undefined {
	try {
		return readDatabaseAddress(environment);
	} catch (error) {
		problems.push(...(error as ConfigError).problems);
		return undefined;
	}
}

/** Without a configured key, the same random one at every start. */
function keptSecret(name: string, file: string, generated: string[]): string {
	if (!existsSync(file)) {
		const value = randomBytes(32).toString('base64url');
		// On the disk before anything is signed or encrypted with it.
		try {
			writeFileSync(file, value, { mode: 0o600, flag: 'wx', flush: true });
		} catch (error) {
			// On a full disk an empty file is left, which would stop the next start too.
			if ((error as NodeJS.ErrnoException).code !== 'EEXIST') rmSync(file, { force: true });
			throw error;
		}
	}
	chmodSync(file, 0o600);
	const kept = readFileSync(file, 'utf8').trim();
	// Left empty by a crash while it was written: everybody would know it.
	if (kept.length < MIN_SECRET_LENGTH)
		throw new ConfigError([
			`${name} is not set, and ${file} is incomplete: put it back from a backup, or remove the file to have a new one made.`,
		]);
	generated.push(`${name} is kept in ${file}`);
	return kept;
}

function defaultPublicUrl(host: string, port: number): string {
	const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
	return `http://${isIP(reachable) === 6 ? `[${reachable}]` : reachable}:${port}`;
}

function isLoopback(host: string): boolean {
	return host === 'localhost' || host === '::1' || /^127\./.test(host);
}

function isBaseUrl(text: string): boolean {
	return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && !/[?#]/.test(text);
}
