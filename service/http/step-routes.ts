import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { Sha256Hex } from '../contract/primitives';
import {
	ClaimAnswer,
	ClaimManyItem,
	ClaimManyRequest,
	ClaimRequest,
	CompleteManyItem,
	CompleteManyRequest,
	CompleteRequest,
	FailRequest,
	ManyAnswer,
	RenewAnswer,
	RenewRequest,
	ResolveRequest,
	StateAnswer,
	Step,
} from '../contract/steps';
import { claimManySteps } from '../journal/claim-many-steps';
import { claimStep } from '../journal/claim-step';
import { completeManySteps, completeStep } from '../journal/complete-step';
import { failStep } from '../journal/fail-step';
import type { Journal } from '../journal/journal';
import { readStep } from '../journal/read-step';
import { renewLease } from '../journal/renew-lease';
import { resolveStep } from '../journal/resolve-step';
import { answers } from './answers';
import type { LargeBodyHooks } from './large-bodies/receive-large-bodies';
import { itemsOf, manyAnswer } from './many';
import { answerJson, withPayloads } from './payload-answer';

const KeyParams = Type.Object({ key: Sha256Hex });
const tags = ['steps'];

/** `/v1/steps/…`: claim before acting, report afterwards. */
export function stepRoutes(
	journal: Journal,
	largeBodies: LargeBodyHooks,
): FastifyPluginAsyncTypebox {
	return async (server) => {
		server.setSerializerCompiler(() => answerJson);
		server.post(
			'/steps/claim',
			{
				...largeBodies,
				schema: {
					tags,
					summary: 'Claim a step: execute it, or take its stored result',
					body: ClaimRequest,
					response: answers(ClaimAnswer),
				},
			},
			async (request, reply) =>
				withPayloads(reply, journal, await claimStep(journal, request.body)),
		);

		server.post(
			'/steps/claim-many',
			{
				...largeBodies,
				attachValidation: true,
				schema: {
					tags,
					summary: 'Claim up to 500 steps in one transaction',
					body: ClaimManyRequest,
					response: answers(ManyAnswer),
				},
			},
			async (request, reply) => {
				const answers = await claimManySteps(journal, itemsOf(request, ClaimManyItem));
				return withPayloads(reply, journal, manyAnswer(answers));
			},
		);

		server.post(
			'/steps/complete-many',
			{
				...largeBodies,
				attachValidation: true,
				schema: {
					tags,
					summary: 'Complete up to 500 steps in one transaction',
					body: CompleteManyRequest,
					response: answers(ManyAnswer),
				},
			},
			async (request) =>
				manyAnswer(await completeManySteps(journal, itemsOf(request, CompleteManyItem))),
		);

		server.post(
			'/steps/:key/complete',
			{
				...largeBodies,
				schema: {
					tags,
					summary: 'Store the result of the attempt that holds the fencing token',
					params: KeyParams,
					body: CompleteRequest,
					response: answers(StateAnswer),
				},
			},
			async (request) => await completeStep(journal, request.params.key, request.body),
		);

		server.post(
			'/steps/:key/fail',
			{
				schema: {
					tags,
					summary: 'Report that the attempt failed, and whether trying again can help',
					params: KeyParams,
					body: FailRequest,
					response: answers(StateAnswer),
				},
			},
			async (request) => await failStep(journal, request.params.key, request.body),
		);

		server.post(
			'/steps/:key/renew',
			{
				schema: {
					tags,
					summary: 'Extend the lease of a live claim',
					params: KeyParams,
					body: RenewRequest,
					response: answers(RenewAnswer),
				},
			},
			async (request) => await renewLease(journal, request.params.key, request.body),
		);

		server.post(
			'/steps/:key/resolve',
			{
				...largeBodies,
				config: { authority: 'admin' },
				schema: {
					tags,
					summary: 'Settle a step that is in doubt, failed or waiting (admin key)',
					params: KeyParams,
					body: ResolveRequest,
					response: answers(StateAnswer),
				},
			},
			async (request) => await resolveStep(journal, request.params.key, request.body),
		);

		server.get(
			'/steps/:key',
			{
				schema: {
					tags,
					summary: 'Read a step',
					params: KeyParams,
					response: answers(Step),
				},
			},
			async (request, reply) =>
				withPayloads(reply, journal, await readStep(journal, request.params.key)),
		);
	};
}
