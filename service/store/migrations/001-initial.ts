/**
 * The first schema. Conventions, since they are hard to change later:
 * - `namespace` is part of every unique key (one today: 'default');
 * - every payload has a nullable `…_key_id` beside it, for encryption and erasure by key;
 * - payloads over a threshold live in `payloads`, so that scans and small reads stay small;
 * - instants are integers, milliseconds since the epoch;
 * - the unique index of steps begins with `run_ref`, which grows with time: writes stay local;
 * - `slots` point at the newest step of a place: a look-up by equality, where ORDER BY … LIMIT 1
 *   makes SQLite plan the statement anew for each value (it is built with STAT4);
 * - `audit_events` hold opaque ids and enumerations only: no names, inputs or comments, so that a
 *   run can be erased without breaking its hash chain;
 * - an id that outlives its row is AUTOINCREMENT, or SQLite gives it to the next row: the audit of an
 *   erased run goes on under its run's, and a message or wake-up that is on its way when its run is
 *   erased reports under its own.
 */
export const initial = `
CREATE TABLE runs (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	namespace TEXT NOT NULL,
	run_id TEXT NOT NULL,
	state TEXT NOT NULL,
	created_at INTEGER NOT NULL,
	updated_at INTEGER NOT NULL,
	cancelled_by TEXT,
	cancelled_reason TEXT,
	audit_seq INTEGER NOT NULL,
	audit_hash TEXT NOT NULL,
	UNIQUE (namespace, run_id)
);

CREATE TABLE tombstones (
	namespace TEXT NOT NULL,
	run_id_sha256 TEXT NOT NULL,
	run_ref INTEGER NOT NULL,
	kind TEXT NOT NULL,
	at INTEGER NOT NULL,
	UNIQUE (namespace, run_id_sha256)
);

CREATE TABLE payloads (
	id INTEGER PRIMARY KEY,
	json TEXT NOT NULL,
	payload_key_id TEXT
);

CREATE TABLE steps (
	id INTEGER PRIMARY KEY,
	namespace TEXT NOT NULL,
	run_ref INTEGER NOT NULL,
	key TEXT NOT NULL,
	step TEXT NOT NULL,
	slot TEXT,
	fingerprint TEXT NOT NULL,
	input_json TEXT,
	input_ref INTEGER,
	input_key_id TEXT,
	state TEXT NOT NULL,
	attempt INTEGER NOT NULL,
	fencing_token INTEGER NOT NULL,
	claim_id TEXT,
	first_claimed_at INTEGER NOT NULL,
	budget_attempt INTEGER NOT NULL,
	budget_started_at INTEGER NOT NULL,
	claimed_at INTEGER NOT NULL,
	lease_expires_at INTEGER NOT NULL,
	max_attempts INTEGER NOT NULL,
	max_elapsed_ms INTEGER NOT NULL,
	next_attempt_at INTEGER,
	settled_at INTEGER,
	settled_by TEXT,
	result_json TEXT,
	result_ref INTEGER,
	result_key_id TEXT,
	error_json TEXT,
	error_key_id TEXT,
	usage_json TEXT,
	resolution_json TEXT,
	execution_id TEXT,
	meta_json TEXT,
	UNIQUE (namespace, run_ref, key)
);
CREATE INDEX steps_by_key ON steps (namespace, key);
CREATE INDEX steps_by_lease ON steps (lease_expires_at) WHERE state = 'claimed';

CREATE TABLE slots (
	id INTEGER PRIMARY KEY,
	run_ref INTEGER NOT NULL,
	slot TEXT NOT NULL,
	step_ref INTEGER NOT NULL,
	UNIQUE (run_ref, slot)
);

CREATE TABLE gates (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	namespace TEXT NOT NULL,
	run_ref INTEGER NOT NULL,
	gate_id TEXT NOT NULL,
	gate TEXT NOT NULL,
	kind TEXT NOT NULL,
	slot TEXT,
	step_key TEXT,
	state TEXT NOT NULL,
	request_json TEXT,
	request_ref INTEGER,
	request_key_id TEXT,
	shown_sha256 TEXT NOT NULL,
	opened_at INTEGER NOT NULL,
	deadline_at INTEGER,
	on_deadline TEXT NOT NULL,
	decision_json TEXT,
	decision_key_id TEXT,
	decided_at INTEGER,
	superseded_by TEXT,
	UNIQUE (namespace, gate_id)
);
CREATE INDEX gates_by_slot ON gates (run_ref, slot, id) WHERE slot IS NOT NULL;
CREATE INDEX gates_by_run ON gates (run_ref, id);
CREATE INDEX gates_open ON gates (namespace, id) WHERE state = 'open';

CREATE TABLE gate_decisions (
	id INTEGER PRIMARY KEY,
	gate_ref INTEGER NOT NULL,
	approver TEXT NOT NULL,
	decision_json TEXT NOT NULL,
	decision_key_id TEXT,
	UNIQUE (gate_ref, approver)
);

CREATE TABLE gate_waiters (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	gate_ref INTEGER NOT NULL,
	resume_url_sha256 TEXT NOT NULL,
	resume_url_encrypted TEXT NOT NULL,
	state TEXT NOT NULL,
	attempts INTEGER NOT NULL,
	last_status INTEGER,
	told_at_open INTEGER NOT NULL,
	pending_since INTEGER,
	missing_since INTEGER,
	next_attempt_at INTEGER,
	UNIQUE (gate_ref, resume_url_sha256)
);
CREATE INDEX gate_waiters_due ON gate_waiters (next_attempt_at) WHERE state = 'pending';

CREATE TABLE timers (
	id INTEGER PRIMARY KEY,
	namespace TEXT NOT NULL,
	kind TEXT NOT NULL,
	subject TEXT NOT NULL,
	due_at INTEGER NOT NULL,
	UNIQUE (namespace, kind, subject)
);
CREATE INDEX timers_due ON timers (due_at);

CREATE TABLE deliveries (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	namespace TEXT NOT NULL,
	gate_ref INTEGER NOT NULL,
	channel TEXT NOT NULL,
	target_json TEXT NOT NULL,
	short_id TEXT NOT NULL,
	message_id TEXT,
	delivered_at INTEGER,
	UNIQUE (namespace, short_id)
);
CREATE INDEX deliveries_by_gate ON deliveries (gate_ref);

CREATE TABLE outbox (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	namespace TEXT NOT NULL,
	delivery_ref INTEGER NOT NULL,
	kind TEXT NOT NULL,
	state TEXT NOT NULL,
	attempts INTEGER NOT NULL,
	due_at INTEGER NOT NULL,
	created_at INTEGER NOT NULL,
	last_error_code TEXT
);
CREATE INDEX outbox_due ON outbox (due_at) WHERE state = 'pending';
CREATE INDEX outbox_turn ON outbox (delivery_ref, id) WHERE state = 'pending';

CREATE TABLE audit_events (
	run_ref INTEGER NOT NULL,
	seq INTEGER NOT NULL,
	at INTEGER NOT NULL,
	type TEXT NOT NULL,
	subject TEXT,
	data_json TEXT NOT NULL,
	hash TEXT NOT NULL,
	PRIMARY KEY (run_ref, seq)
) WITHOUT ROWID;

CREATE TABLE service_facts (
	name TEXT NOT NULL PRIMARY KEY,
	value TEXT NOT NULL
);

CREATE TABLE host_leases (
	name TEXT NOT NULL PRIMARY KEY,
	holder TEXT NOT NULL,
	expires_at INTEGER NOT NULL,
	state_json TEXT NOT NULL
);
`;
