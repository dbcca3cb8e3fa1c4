/** SQL of `deliveries`: one row for each place a gate is shown in (one chat, one thread). */
import type { Queries } from './database';

/** Where a gate is shown. Members that are absent are chosen by the channel when it sends. */
export interface DeliveryTarget {
	/** The channel's own address, e.g. a Telegram chat id; absent: the channel's default. */
	to?: string;
	threadId?: number;
	/** Index of the one approver who sees this place; absent: there may be others. */
	approver?: number;
}

export interface DeliveryRow {
	id: number;
	gate_ref: number;
	channel: string;
	target_json: string;
	short_id: string;
	message_id: string | null;
	delivered_at: number | null;
	/** 1 where it went to those whom the gate was passed on to; else null or 0. */
	stage: number | null;
}

const COLUMNS = 'id, gate_ref, channel, target_json, short_id, message_id, delivered_at, stage';

/** @returns the new row's id */
export async function insertDelivery(
	queries: Queries,
	namespace: string,
	gateRef: number,
	channel: string,
	target: DeliveryTarget,
	shortId: string,
	stage: number,
): Promise<number> {
	const row = await queries.get<{ id: number }>(
		`INSERT INTO deliveries (namespace, gate_ref, channel, target_json, short_id, stage)
		VALUES (?, ?, ?, ?, ?, ?) RETURNING id`,
		namespace,
		gateRef,
		channel,
		JSON.stringify(target),
		shortId,
		stage,
	);
	return row!.id;
}

export function deliveriesOfGate(queries: Queries, gateRef: number): Promise<DeliveryRow[]> {
	return queries.all<DeliveryRow>(
		`SELECT ${COLUMNS} FROM deliveries WHERE gate_ref = ? ORDER BY id`,
		gateRef,
	);
}

export function deliveryById(queries: Queries, id: number): Promise<DeliveryRow | undefined> {
	return queries.get<DeliveryRow>(`SELECT ${COLUMNS} FROM deliveries WHERE id = ?`, id);
}

export function deliveryByShortId(
	queries: Queries,
	namespace: string,
	shortId: string,
): Promise<DeliveryRow | undefined> {
	return queries.get<DeliveryRow>(
		`SELECT ${COLUMNS} FROM deliveries WHERE namespace = ? AND short_id = ?`,
		namespace,
		shortId,
	);
}

/** The channel accepted the message and gave it an id; `target` now says exactly where it is. */
export async function markDelivered(
	queries: Queries,
	id: number,
	messageId: string,
	target: DeliveryTarget,
): Promise<void> {
	await queries.run(
		'UPDATE deliveries SET message_id = ?, delivered_at = ?, target_json = ? WHERE id = ?',
		messageId,
		queries.now,
		JSON.stringify(target),
		id,
	);
}

/**
 * Whether those who may decide now were told. `none`: the gate has no channel. What happens at a
 * deadline may depend on it.
 */
export async function deliveryStateOfGate(
	queries: Queries,
	gateRef: number,
	stage: number,
): Promise<'none' | 'undelivered' | 'delivered'> {
	const row = await queries.get<{ all_rows: number; delivered: number }>(
		`SELECT COUNT(*) AS all_rows, COUNT(delivered_at) AS delivered FROM deliveries
		WHERE gate_ref = ? AND COALESCE(stage, 0) = ?`,
		gateRef,
		stage,
	);
	if (!row || row.all_rows === 0) return 'none';
	return row.delivered > 0 ? 'delivered' : 'undelivered';
}
