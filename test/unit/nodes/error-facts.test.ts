import { errorFacts } from '../../../nodes/shared/error-facts';
import { JournalError } from '../../../nodes/shared/journal-error';
import { StepStopped, type StopKind } from '../../../nodes/shared/step-stopped';

const ORIGIN = 'http://127.0.0.1:5690';

it.each<[StopKind, string, string]>([
	['in_doubt', 'step_in_doubt', 'in_doubt'],
	['failed', 'step_failed', 'terminal'],
	['waiting_retry', 'step_waiting_retry', 'retryable'],
	['overtaken', 'lease_lost', 'retryable'],
	['result_omitted', 'result_omitted', 'terminal'],
])('a step stopped as %s is %s, %s', (kind, code, verdict) => {
	const stopped = new StepStopped({ kind, step: 'pay', key: 'k', attempt: 2, origin: ORIGIN });
	expect(errorFacts(stopped)).toEqual({ code, verdict, step: 'pay', key: 'k', attempt: 2 });
});

it.each([
	[{ code: 'step_in_doubt', retryable: false }, 'in_doubt'],
	[{ code: 'step_unsettled', retryable: false }, 'in_doubt'],
	[{ code: 'step_in_progress', retryable: true }, 'retryable'],
	[{ code: 'unreachable', retryable: true }, 'retryable'],
	// It could not be recorded, so nobody will know.
	[{ code: 'unreachable', retryable: true, acted: true }, 'in_doubt'],
	[{ code: 'step_input_changed', retryable: false }, 'terminal'],
	[{ code: 'unauthorized', retryable: false }, 'terminal'],
] as const)('the journal’s %j is %s', (facts, verdict) => {
	expect(errorFacts(new JournalError({ ...facts, origin: ORIGIN, step: 'pay' }))).toEqual({
		code: facts.code,
		verdict,
		step: 'pay',
	});
});

it('names the step that the journal names', () => {
	const problem = {
		...{ type: 't', title: 't', status: 409, code: 'step_waiting_retry', detail: 'd' },
		...{ key: 'k', attempt: 3, nextAttemptAt: '2030-01-01T00:00:00.000Z' },
	} as const;
	const error = new JournalError({ code: problem.code, problem, origin: ORIGIN, retryable: true });
	expect(errorFacts(error)).toEqual({
		code: 'step_waiting_retry',
		verdict: 'retryable',
		key: 'k',
		attempt: 3,
		nextAttemptAt: '2030-01-01T00:00:00.000Z',
	});
});

it('knows nothing of other errors', () => {
	expect(errorFacts(new Error('x'))).toBeUndefined();
});
