import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import {
	DecideRequest,
	Gate,
	GateList,
	GateListQuery,
	OpenGateAnswer,
	OpenGateRequest,
} from '../contract/gates';
import { Sha256Hex } from '../contract/primitives';
import { decideGate } from '../journal/decide-gate';
import type { Journal } from '../journal/journal';
import { listGates } from '../journal/list-gates';
import { openGate } from '../journal/open-gate';
import { readGate } from '../journal/read-gate';
import { answers } from './answers';

const GateParams = Type.Object({ gateId: Sha256Hex });
const tags = ['gates'];

/** `/v1/gates…`: open and read with the API key, decide with the admin key. */
export function gateRoutes(journal: Journal): FastifyPluginAsyncTypebox {
	return async (server) => {
		server.post(
			'/gates',
			{
				schema: {
					tags,
					summary: 'Open a gate, or find it: 201 the first time, 200 after that',
					body: OpenGateRequest,
					response: { ...answers(OpenGateAnswer), 201: OpenGateAnswer },
				},
			},
			async (request, reply) => {
				const { created, answer } = await openGate(journal, request.body);
				return await reply.code(created ? 201 : 200).send(answer);
			},
		);

		server.get(
			'/gates',
			{
				schema: {
					tags,
					summary: 'List gates, newest first',
					querystring: GateListQuery,
					response: answers(GateList),
				},
			},
			async (request) => await listGates(journal, request.query),
		);

		server.get(
			'/gates/:gateId',
			{
				schema: { tags, summary: 'Read a gate', params: GateParams, response: answers(Gate) },
			},
			async (request) => await readGate(journal, request.params.gateId),
		);

		server.post(
			'/gates/:gateId/decide',
			{
				config: { authority: 'admin' },
				schema: {
					tags,
					summary: 'Decide an open gate; the first decision stands (admin key)',
					params: GateParams,
					body: DecideRequest,
					response: answers(Gate),
				},
			},
			async (request) => {
				const { by, ...decision } = request.body;
				const { gateId } = request.params;
				return await decideGate(journal, { gateId, ...decision, claimant: { via: 'api', by } });
			},
		);
	};
}
