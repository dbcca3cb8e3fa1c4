import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { closed, Identifier, PageQuery } from '../contract/primitives';
import { Problem } from '../contract/problem';
import {
	CancelRunRequest,
	ReopenRunRequest,
	Run,
	RunDetail,
	RunList,
	RunListQuery,
	SettleRunRequest,
} from '../contract/runs';
import { cancelRun } from '../journal/cancel-run';
import { eraseRun } from '../journal/erase-run';
import { exportAudit } from '../journal/export-audit';
import type { Journal } from '../journal/journal';
import { listRuns } from '../journal/list-runs';
import { JournalProblem } from '../journal/problem';
import { readRun } from '../journal/read-run';
import { reopenRun } from '../journal/reopen-run';
import { settleRun } from '../journal/settle-run';
import { answers } from './answers';

const RunParams = Type.Object({ runId: Identifier });
const tags = ['runs'];

/** `/v1/runs…` and `/v1/audit`. */
export function runRoutes(journal: Journal): FastifyPluginAsyncTypebox {
	return async (server) => {
		server.get(
			'/runs',
			{
				schema: {
					tags,
					summary: 'List runs, newest first',
					querystring: RunListQuery,
					response: answers(RunList),
				},
			},
			async (request) => await listRuns(journal, request.query),
		);

		server.get(
			'/runs/:runId',
			{
				schema: {
					tags,
					summary: 'Read a run with its steps, page by page, and its gates',
					params: RunParams,
					querystring: Type.Object(PageQuery, closed),
					response: answers(RunDetail),
				},
			},
			async (request) => await readRun(journal, request.params.runId, request.query),
		);

		server.post(
			'/runs/:runId/settle',
			{
				schema: {
					tags,
					summary: 'Say how a run ended; as dead with the admin key',
					params: RunParams,
					body: SettleRunRequest,
					response: answers(Run),
				},
			},
			async (request) => {
				if (request.body.as === 'dead' && request.authority !== 'admin')
					throw new JournalProblem('forbidden');
				return await settleRun(journal, request.params.runId, request.body);
			},
		);

		server.post(
			'/runs/:runId/reopen',
			{
				config: { authority: 'admin' },
				schema: {
					tags,
					summary: 'Take up a run again that failed or was given up (admin key)',
					params: RunParams,
					body: ReopenRunRequest,
					response: answers(Run),
				},
			},
			async (request) => await reopenRun(journal, request.params.runId, request.body),
		);

		server.post(
			'/runs/:runId/cancel',
			{
				config: { authority: 'admin' },
				schema: {
					tags,
					summary: 'Cancel a run, also one that has not begun (admin key)',
					params: RunParams,
					body: CancelRunRequest,
					response: answers(Run),
				},
			},
			async (request) => await cancelRun(journal, request.params.runId, request.body),
		);

		server.delete(
			'/runs/:runId',
			{
				config: { authority: 'admin' },
				schema: {
					tags,
					summary: 'Erase a run; a tombstone and the audit chain stay (admin key)',
					params: RunParams,
					response: { 204: Type.Null(), '4xx': Problem, '5xx': Problem },
				},
			},
			async (request, reply) => {
				await eraseRun(journal, request.params.runId);
				return await reply.code(204).send(null);
			},
		);

		server.get(
			'/audit',
			{
				config: { authority: 'admin' },
				schema: {
					tags: ['audit'],
					summary: 'Export the audit events of a run as NDJSON (admin key)',
					querystring: Type.Object({ runId: Identifier }, closed),
					produces: ['application/x-ndjson'],
				},
			},
			async (request, reply) => {
				const events = await exportAudit(journal, request.query.runId);
				const lines = async function* () {
					for await (const event of events) yield `${JSON.stringify(event)}\n`;
				};
				return await reply.type('application/x-ndjson').send(Readable.from(lines()));
			},
		);
	};
}
