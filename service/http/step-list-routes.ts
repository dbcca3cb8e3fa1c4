import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { closed, PageQuery } from '../contract/primitives';
import { StepList, StepListQuery } from '../contract/steps';
import type { Journal } from '../journal/journal';
import { listDeadLetterSteps, listDoubts } from '../journal/list-steps';
import { answers } from './answers';

const tags = ['steps'];

/** `GET /v1/steps` and `/v1/dead-letters`: what needs a person. */
export function stepListRoutes(journal: Journal): FastifyPluginAsyncTypebox {
	return async (server) => {
		server.get(
			'/steps',
			{
				schema: {
					tags,
					summary: 'List the steps that are in doubt, newest first',
					querystring: StepListQuery,
					response: answers(StepList),
				},
			},
			async (request) => await listDoubts(journal, request.query),
		);

		server.get(
			'/dead-letters',
			{
				schema: {
					tags,
					summary: 'List the steps whose attempts or time are used up, newest first',
					querystring: Type.Object(PageQuery, closed),
					response: answers(StepList),
				},
			},
			async (request) => await listDeadLetterSteps(journal, request.query),
		);
	};
}
