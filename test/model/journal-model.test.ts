/**
 * Whatever several workers, people, clocks and crashes do to the journal, in whatever order: it
 * answers as the contract says. MODEL_SEED and MODEL_PATH (both are printed) repeat a failure,
 * MODEL_RUNS makes it longer; `npm run soak` goes on for as long as it is told.
 */
import { onPostgres } from '../store-under-test';
import { checkHistories } from './histories';
import { seenAnswers } from './operation';

const SEED = Number(process.env.MODEL_SEED ?? 1);
const RUNS = Number(process.env.MODEL_RUNS ?? (onPostgres() ? 14 : 60));

jest.setTimeout(60_000 + RUNS * 1_000);

test('the journal does what the model says', async () => {
	await checkHistories({ seed: SEED, numRuns: RUNS, path: process.env.MODEL_PATH ?? '' });
});

/** Otherwise a change of the commands could empty the test, and it would still pass. */
test('every kind of answer was among them', () => {
	const wanted = onPostgres() ? COMMON : [...COMMON, ...RARER];
	expect(wanted.filter((answer) => !seenAnswers.has(answer))).toEqual([]);
});

const COMMON = [
	'claim: execute',
	'claim: step_in_progress',
	'claim: step_in_doubt',
	'complete: completed',
	'fail: failed',
	'open: open',
	'decide: rejected',
	'decide: gate_closed',
];
const RARER = [
	'claim: replay',
	'claim: verify',
	'claim: failed',
	'claim: gate_not_approved',
	'claim: idempotency_key_reused',
	'claim: run_cancelled',
	'claim: run_erased',
	'claim: step_waiting_retry',
	'claim: step_repeated',
	'claim: step_unsettled',
	'claim: step_input_changed',
	'complete: lease_lost',
	'complete: result_conflict',
	'n8n says: doubted',
	'fail: in_doubt',
	'fail: waiting_retry',
	'renew: 200',
	'renew: lease_lost',
	'resolve: completed',
	'resolve: failed',
	'resolve: waiting_retry',
	'resolve: step_not_resolvable',
	'decide: approved',
	'decide: open',
	'claim: run_settled',
	'settle: completed',
	'settle: failed',
	'settle: dead',
	'reopen: active',
	'erase: 204',
	'erase: run_awaited',
];
