import { createHash } from 'node:crypto';

export interface AuditEvent {
	readonly seq: number;
	readonly at: string;
	readonly type: string;
	readonly subject?: string;
	readonly data: Record<string, string | number>;
}

const GENESIS = '0'.repeat(64);

/**
 * Reads an audit export and verifies it as somebody would who has nothing but the export: numbered
 * without a gap, each hash over the one before. The journal's own code has no part in it.
 * @throws at the first event that is out of place or was changed
 */
export function readAudit(ndjson: string): AuditEvent[] {
	let previous = GENESIS;
	return ndjson
		.split('\n')
		.filter((line) => line !== '')
		.map((line, index) => {
			const { previousHash, hash, ...event } = JSON.parse(line);
			const hashed = sha256(previous + sortedJson({ ...event, at: Date.parse(event.at) }));
			if (event.seq !== index + 1 || previousHash !== previous || hash !== hashed)
				throw new Error(`The audit chain breaks at event ${index + 1}: ${line}`);
			previous = hash;
			return event;
		});
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** RFC 8785 for what an audit event holds: objects of strings and safe integers. */
function sortedJson(value: unknown): string {
	if (typeof value !== 'object' || value === null) return JSON.stringify(value);
	const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
	return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${sortedJson(member)}`).join(',')}}`;
}
