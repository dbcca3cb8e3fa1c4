import type { Dialect } from './dialect';

/**
 * The first schema. Conventions, since they are hard to change later:
 * - `namespace` is part of every unique key (one today: 'default');
 * - every payload has a nullable `…_key_id` beside it, for encryption and erasure by key;
 * - payloads over a threshold live in `payloads`, so that scans and small reads stay small; large ones
 *   in pieces, which are written before anything refers to them (`deposited_at` until then);
 * - instants are integers, milliseconds since the epoch;
 * - the unique index of steps begins with `run_ref`, which grows with time: writes stay local;
 * - `slots` point at the newest step of a place: a look-up by equality, where ORDER BY … LIMIT 1
 *   makes SQLite plan the statement anew for each value (it is built with STAT4);
 * - `audit_events` hold opaque ids and enumerations only: no names, inputs or comments, so that a
 *   run can be erased without breaking its hash chain;
 * - a run is gone when its row is: what it still has in other tables is not seen any more, and is
 *   removed bit by bit (`tombstones.unfinished`);
 * - an id that outlives its row is never given again (`lastingId`): the audit of an erased run goes on
 *   under its run's, and a message or wake-up that is on its way when its run is erased reports under
 *   its own.
 */
export const initial = ({ int, id, lastingId, clustered, changing }: Dialect): string => `
CREATE TABLE runs (
	id ${lastingId},
	namespace TEXT NOT NULL,
	run_id TEXT NOT NULL,
	state TEXT NOT NULL,
	created_at ${int} NOT NULL,
	updated_at ${int} NOT NULL,
	step_count ${int} NOT NULL,
	gate_count ${int} NOT NULL,
	settlement_json TEXT,
	reopening_json TEXT,
	result_json TEXT,
	result_ref ${int},
	result_key_id TEXT,
	audit_seq ${int} NOT NULL,
	audit_hash TEXT NOT NULL,
	UNIQUE (namespace, run_id)
)${changing};
CREATE INDEX runs_by_state ON runs (namespace, state, id);

CREATE TABLE tombstones (
	namespace TEXT NOT NULL,
	run_id_sha256 TEXT NOT NULL,
	run_ref ${int} NOT NULL,
	kind TEXT NOT NULL,
	at ${int} NOT NULL,
	unfinished ${int} NOT NULL,
	UNIQUE (namespace, run_id_sha256)
);
CREATE INDEX tombstones_unfinished ON tombstones (run_ref) WHERE unfinished = 1;
CREATE INDEX tombstones_by_time ON tombstones (at);

CREATE TABLE payloads (
	id ${id},
	json TEXT,
	pieces ${int} NOT NULL,
	text_sha256 TEXT,
	deposited_at ${int},
	payload_key_id TEXT
);
CREATE INDEX payloads_deposited ON payloads (deposited_at) WHERE deposited_at IS NOT NULL;

CREATE TABLE payload_pieces (
	payload_ref ${int} NOT NULL REFERENCES payloads (id) ON DELETE CASCADE,
	piece ${int} NOT NULL,
	json TEXT NOT NULL,
	PRIMARY KEY (payload_ref, piece)
);

CREATE TABLE steps (
	id ${id},
	namespace TEXT NOT NULL,
	run_ref ${int} NOT NULL,
	key TEXT NOT NULL,
	step TEXT NOT NULL,
	slot TEXT,
	fingerprint TEXT NOT NULL,
	input_json TEXT,
	input_ref ${int},
	input_key_id TEXT,
	state TEXT NOT NULL,
	attempt ${int} NOT NULL,
	fencing_token ${int} NOT NULL,
	claim_id TEXT,
	first_claimed_at ${int} NOT NULL,
	budget_attempt ${int} NOT NULL,
	budget_started_at ${int} NOT NULL,
	claimed_at ${int} NOT NULL,
	lease_expires_at ${int} NOT NULL,
	max_attempts ${int} NOT NULL,
	max_elapsed_ms ${int} NOT NULL,
	next_attempt_at ${int},
	settled_at ${int},
	settled_by TEXT,
	exhausted ${int},
	result_json TEXT,
	result_ref ${int},
	result_key_id TEXT,
	error_json TEXT,
	error_key_id TEXT,
	usage_json TEXT,
	resolution_json TEXT,
	execution_id TEXT,
	meta_json TEXT,
	UNIQUE (namespace, key)
);
CREATE INDEX steps_by_run ON steps (run_ref, id);
CREATE INDEX steps_by_lease ON steps (lease_expires_at) WHERE state = 'claimed';
CREATE INDEX steps_in_doubt ON steps (namespace, id) WHERE state = 'in_doubt';
CREATE INDEX doubts_of_run ON steps (run_ref) WHERE state = 'in_doubt';
CREATE INDEX steps_dead_letters ON steps (namespace, id) WHERE exhausted = 1;

CREATE TABLE slots (
	id ${id},
	run_ref ${int} NOT NULL,
	slot_sha256 TEXT NOT NULL,
	step_key TEXT NOT NULL,
	UNIQUE (run_ref, slot_sha256)
);

CREATE TABLE gates (
	id ${lastingId},
	namespace TEXT NOT NULL,
	run_ref ${int} NOT NULL,
	gate_id TEXT NOT NULL,
	gate TEXT NOT NULL,
	kind TEXT NOT NULL,
	slot TEXT,
	step_key TEXT,
	state TEXT NOT NULL,
	request_json TEXT,
	request_ref ${int},
	request_key_id TEXT,
	input_json TEXT,
	input_ref ${int},
	input_key_id TEXT,
	shown_sha256 TEXT NOT NULL,
	opened_at ${int} NOT NULL,
	deadline_at ${int},
	on_deadline TEXT NOT NULL,
	decision_json TEXT,
	decision_key_id TEXT,
	decided_at ${int},
	superseded_by TEXT,
	UNIQUE (namespace, gate_id)
);
CREATE INDEX gates_open_of_run ON gates (run_ref, id) WHERE state = 'open';
CREATE INDEX gates_by_run ON gates (run_ref, id);
CREATE INDEX gates_open ON gates (namespace, id) WHERE state = 'open';

CREATE TABLE gate_decisions (
	id ${id},
	gate_ref ${int} NOT NULL,
	approver TEXT NOT NULL,
	decision_json TEXT NOT NULL,
	decision_key_id TEXT,
	UNIQUE (gate_ref, approver)
);

CREATE TABLE gate_waiters (
	id ${lastingId},
	gate_ref ${int} NOT NULL,
	resume_url_sha256 TEXT NOT NULL,
	resume_url_encrypted TEXT NOT NULL,
	state TEXT NOT NULL,
	attempts ${int} NOT NULL,
	last_status ${int},
	told_at_open ${int} NOT NULL,
	pending_since ${int},
	missing_since ${int},
	next_attempt_at ${int},
	UNIQUE (gate_ref, resume_url_sha256)
);
CREATE INDEX gate_waiters_due ON gate_waiters (next_attempt_at) WHERE state = 'pending';

CREATE TABLE timers (
	id ${id},
	namespace TEXT NOT NULL,
	kind TEXT NOT NULL,
	subject TEXT NOT NULL,
	due_at ${int} NOT NULL,
	UNIQUE (namespace, kind, subject)
);
CREATE INDEX timers_due ON timers (due_at);

CREATE TABLE deliveries (
	id ${lastingId},
	namespace TEXT NOT NULL,
	gate_ref ${int} NOT NULL,
	channel TEXT NOT NULL,
	target_json TEXT NOT NULL,
	short_id TEXT NOT NULL,
	message_id TEXT,
	delivered_at ${int},
	UNIQUE (namespace, short_id)
);
CREATE INDEX deliveries_by_gate ON deliveries (gate_ref);

CREATE TABLE outbox (
	id ${lastingId},
	namespace TEXT NOT NULL,
	delivery_ref ${int} NOT NULL,
	kind TEXT NOT NULL,
	state TEXT NOT NULL,
	attempts ${int} NOT NULL,
	due_at ${int} NOT NULL,
	created_at ${int} NOT NULL,
	last_error_code TEXT
);
CREATE INDEX outbox_due ON outbox (due_at) WHERE state = 'pending';
CREATE INDEX outbox_turn ON outbox (delivery_ref, id);

CREATE TABLE audit_events (
	run_ref ${int} NOT NULL,
	seq ${int} NOT NULL,
	at ${int} NOT NULL,
	type TEXT NOT NULL,
	subject TEXT,
	data_json TEXT NOT NULL,
	hash TEXT NOT NULL,
	PRIMARY KEY (run_ref, seq)
)${clustered};

CREATE TABLE service_facts (
	name TEXT NOT NULL PRIMARY KEY,
	value TEXT NOT NULL
);

CREATE TABLE host_leases (
	name TEXT NOT NULL PRIMARY KEY,
	holder TEXT NOT NULL,
	expires_at ${int} NOT NULL,
	state_json TEXT NOT NULL
);
`;
