/** What each cell of the matrix must come to. A cell that is not here fails. */
import type { Measured } from './scene';

const cell = (
	effects: number,
	requests: number,
	state: string,
	shows: string,
	keys = 1,
): Measured => ({ effects, requests, keys, state, shows });

/** The three operations of Idempotent Tool Call. */
const canvas = (measured: Measured) => ({ tool: measured, http: measured, sub: measured });
/** Those whose call's answer says what became of it; a called workflow's failure says nothing about its nodes. */
const single = (measured: Measured) => ({ tool: measured, http: measured });

/** Column → row. */
export const EXPECTED: Record<string, Record<string, Measured>> = {
	first: {
		...canvas(cell(1, 1, 'completed', 'success, attempt 1')),
		agent: cell(1, 1, 'completed', 'told: result, attempt 1'),
	},
	second: {
		...canvas(cell(1, 1, 'completed', 'success, attempt 1; then replay, attempt 1')),
		agent: cell(1, 1, 'completed', 'told: result, attempt 1; then told: result, attempt 1'),
	},
	retried: {
		...canvas(cell(1, 1, 'completed', 'replay, attempt 1')),
		agent: cell(1, 1, 'completed', 'told: result, attempt 1'),
	},
	together: {
		...canvas(cell(1, 1, 'completed', 'success, attempt 1; then replay, attempt 1')),
		agent: cell(1, 1, 'completed', 'told: result, attempt 1; then told: result, attempt 1'),
	},
	before: {
		...canvas(cell(0, 1, 'in_doubt', 'error: in doubt')),
		agent: cell(0, 1, 'in_doubt', 'told: IN DOUBT'),
	},
	after: {
		...canvas(cell(1, 1, 'in_doubt', 'error: in doubt')),
		agent: cell(1, 1, 'in_doubt', 'told: IN DOUBT'),
	},
	honoured: {
		...canvas(cell(1, 2, 'completed', 'success, attempt 2')),
		agent: cell(1, 2, 'completed', 'told: result, attempt 2'),
	},
	silent: {
		...canvas(cell(1, 1, 'in_doubt', 'error: in doubt')),
		agent: cell(1, 1, 'in_doubt', 'told: IN DOUBT'),
	},
	'429': {
		...single(cell(1, 2, 'completed', 'success, attempt 2')),
		sub: cell(0, 1, 'in_doubt', 'error: in doubt'),
		agent: cell(1, 2, 'completed', 'told: result, attempt 2'),
	},
	'529': {
		...single(cell(1, 2, 'completed', 'success, attempt 2')),
		sub: cell(0, 1, 'in_doubt', 'error: in doubt'),
		agent: cell(1, 2, 'completed', 'told: result, attempt 2'),
	},
	'500': {
		...canvas(cell(1, 1, 'in_doubt', 'error: in doubt')),
		agent: cell(1, 1, 'in_doubt', 'told: IN DOUBT'),
	},
	'400': {
		...single(cell(0, 1, 'failed', 'error: refused')),
		sub: cell(0, 1, 'in_doubt', 'error: in doubt'),
		agent: cell(0, 1, 'failed', 'told: REFUSED'),
	},
	'401': {
		...single(cell(1, 2, 'completed', 'error: refused; then success, attempt 2')),
		sub: cell(0, 1, 'in_doubt', 'error: in doubt; then error: in doubt'),
		agent: cell(1, 2, 'completed', 'told: REFUSED; then told: result, attempt 2'),
	},
	changed: {
		...canvas(cell(1, 1, 'completed', 'success, attempt 1; then error: input changed')),
		// To a model another input is another call, which it may well mean.
		agent: cell(
			2,
			2,
			'completed, completed',
			'told: result, attempt 1; then told: result, attempt 1',
			2,
		),
	},
	unsettled: {
		...canvas(cell(1, 1, 'in_doubt', 'error: in doubt; then error: input changed, unsettled')),
		agent: cell(2, 2, 'in_doubt, in_doubt', 'told: IN DOUBT; then told: IN DOUBT', 2),
	},
	'five-500': {
		...canvas(cell(1, 1, 'in_doubt', 'error: in doubt')),
		agent: cell(1, 1, 'in_doubt', 'told: IN DOUBT'),
	},
	'five-400': {
		...single(cell(0, 1, 'failed', 'error: refused')),
		sub: cell(0, 1, 'in_doubt', 'error: in doubt'),
		agent: cell(0, 1, 'failed', 'told: REFUSED'),
	},
	output: {
		...single(cell(0, 1, 'failed', 'error output: refused')),
		sub: cell(0, 1, 'in_doubt', 'error output: in doubt'),
		agent: cell(0, 1, 'failed', 'told: REFUSED'),
	},
	'output-doubt': {
		...canvas(cell(1, 1, 'in_doubt', 'error output: in doubt')),
		agent: cell(1, 1, 'in_doubt', 'told: IN DOUBT'),
	},
};
