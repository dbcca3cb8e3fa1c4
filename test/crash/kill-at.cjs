/**
 * Loaded before the journal by `node --require`: kills its own process at the n-th passage of a named
 * point. Nothing in the journal knows of it.
 *
 * KILL_AT=<point>:<passage>:<delay>. `migration` and `start` count from the beginning, all others from
 * SIGUSR2 on. The delay, in microseconds, is for the points that lie inside one call of the store:
 * another thread kills while this one is in it.
 */
const { createRequire } = require('node:module');
const { Server } = require('node:net');
const { ServerResponse } = require('node:http');
const { join } = require('node:path');
const { isMainThread, Worker } = require('node:worker_threads');

const [point, passage, delay] = (process.env.KILL_AT ?? 'never:1:0').split(':');
let left = Number(passage);
let counts = point === 'migration' || point === 'start';
process.on('SIGUSR2', () => (counts = true));

const reached = (name) => counts && name === point && --left === 0;
const die = () => process.kill(process.pid, 'SIGKILL');
const pass = (name) => {
	if (reached(name)) die();
};

/** Asked by the journal after each commit; from so many pages on it lets its thread move them. */
const LOG_STATE = 'PRAGMA wal_checkpoint(NOOP)';
const CHECKPOINT_PAGES = 1_000;

const flag = new Int32Array(new SharedArrayBuffer(4));
if (isMainThread && point.startsWith('during-'))
	new Worker(
		`const { flag, delay } = require('node:worker_threads').workerData;
		Atomics.wait(flag, 0, 0);
		for (const end = performance.now() + delay / 1000; performance.now() < end;);
		process.kill(process.pid, 'SIGKILL');`,
		// Without this module, which would begin another thread.
		{ eval: true, execArgv: [], workerData: { flag, delay: Number(delay) } },
	).unref();
const passDuring = (name) => {
	if (!reached(name)) return;
	Atomics.store(flag, 0, 1);
	Atomics.notify(flag, 0);
};

// The journal's own threads go the way of their process.
if (isMainThread) {
	const requireOfService = createRequire(join(__dirname, '../../service/dist/main.js'));
	watchSqlite(requireOfService('better-sqlite3').prototype);
	watchPostgres(requireOfService('pg').Client.prototype);
	watchAnswers();
}

function watchSqlite(prototype) {
	const { prepare, exec, pragma } = prototype;
	prototype.prepare = function (sql) {
		const statement = prepare.call(this, sql);
		for (const method of ['run', 'get', 'all']) {
			const call = statement[method];
			statement[method] = (...parameters) => {
				passBefore(sql);
				const answer = call.apply(statement, parameters);
				passAfter(sql, this.inTransaction);
				if (sql === LOG_STATE) {
					// So long a log, it believes, that its thread begins a checkpoint after each commit.
					answer.log += CHECKPOINT_PAGES;
					passDuring('during-checkpoint');
				}
				return answer;
			};
		}
		return statement;
	};
	prototype.exec = function (sql) {
		// One by one, so that there is a point between them.
		for (const statement of sql.split(';').filter((text) => text.trim() !== '')) {
			pass('migration');
			exec.call(this, statement);
		}
		return this;
	};
	prototype.pragma = function (...call) {
		pass('start');
		return pragma.apply(this, call);
	};
}

function watchPostgres(prototype) {
	const { query } = prototype;
	prototype.query = function (config, ...rest) {
		const sql = typeof config === 'string' ? config : config.text;
		if (/schema_versions|CREATE TABLE/.test(sql)) pass('migration');
		else pass('start');
		passBefore(sql);
		const answer = query.call(this, config, ...rest);
		if (typeof answer?.then !== 'function') return answer;
		return answer.then((value) => {
			passAfter(sql, true);
			return value;
		});
	};
}

function passBefore(sql) {
	if (sql.startsWith('BEGIN')) pass('before-begin');
	if (sql !== 'COMMIT') return;
	pass('before-commit');
	passDuring('during-commit');
}

function passAfter(sql, inTransaction) {
	if (sql.startsWith('BEGIN')) pass('after-begin');
	else if (sql === 'COMMIT') pass('after-commit');
	else if (inTransaction) pass('between-statements');
}

function watchAnswers() {
	const { end } = ServerResponse.prototype;
	ServerResponse.prototype.end = function (body, ...rest) {
		pass('before-answer');
		if (typeof body !== 'string' || body.length < 2 || !reached('half-answer'))
			return end.call(this, body, ...rest);
		this.write(body.slice(0, body.length / 2), die);
		return this;
	};
	const { listen } = Server.prototype;
	Server.prototype.listen = function (...call) {
		pass('start');
		return listen.apply(this, call);
	};
}
