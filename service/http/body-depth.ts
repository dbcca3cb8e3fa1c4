import type { FastifyInstance } from 'fastify';
import { JournalProblem } from '../journal/problem';

/** Far more than real data has, and far less than what exhausts the stack where it is hashed or stored. */
const MAX_DEPTH = 500;

/** Refuses bodies that no recursion could walk, on every route of the scope it is called on. */
export function refuseDeepBodies(scope: FastifyInstance): void {
	scope.addHook('preValidation', async (request) => {
		if (isTooDeep(request.body)) throw tooDeep();
	});
}

export function isTooDeep(body: unknown): boolean {
	return isDeeperThan(body, MAX_DEPTH);
}

export function tooDeep(): JournalProblem {
	const detail = `is nested deeper than ${MAX_DEPTH} levels`;
	return new JournalProblem('invalid_request', { errors: [{ pointer: '', detail }] });
}

function isDeeperThan(value: unknown, levels: number): boolean {
	if (typeof value !== 'object' || value === null) return false;
	if (levels === 0) return true;
	const members: unknown[] = Array.isArray(value) ? value : Object.values(value);
	return members.some((member) => isDeeperThan(member, levels - 1));
}
