import { hash } from 'node:crypto';
import { canonicalJson } from './canonical-json';

/** Lowercase hex SHA-256 of the UTF-8 bytes of `text`. */
export function sha256Hex(text: string): string {
	return hash('sha256', text, 'hex');
}

/** Identifies a step: the same run, step and input have the same key, whoever asks. */
export function stepKey(runId: string, step: string, input: unknown): string {
	return stepKeyOfText(runId, step, canonicalJson(input));
}

/** The same where the canonical text of the input is at hand. */
export function stepKeyOfText(runId: string, step: string, inputText: string): string {
	const names = canonicalJson(['durable:v1', runId, step]);
	return sha256Hex(`${names.slice(0, -1)},${inputText}]`);
}

/** The key of a step whose caller names it by an idempotency key of its own. */
export function ownStepKey(runId: string, step: string, idempotencyKey: string): string {
	return sha256Hex(canonicalJson(['durable:v1:own', runId, step, idempotencyKey]));
}

/** Identifies a gate. */
export function gateKey(runId: string, gate: string, input: unknown): string {
	return sha256Hex(canonicalJson(['durable:v1:gate', runId, gate, input]));
}

/** SHA-256 of the canonical input alone: tells whether two inputs are the same. */
export function fingerprint(input: unknown): string {
	return sha256Hex(canonicalJson(input));
}
