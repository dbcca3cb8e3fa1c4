import type { INode } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { errorFacts } from './error-facts';
import { JournalError } from './journal-error';
import { StepStopped, type StopFacts } from './step-stopped';

interface Sentence {
	message: string;
	description?: string;
}

/** A step that has no name of its own is called by its node's name, which people know. */
type Label = (step: string) => string;

const resolveCall = (origin: string, key: string) =>
	`POST ${origin}/v1/steps/${key}/resolve with {"as":"completed"|"failed"|"retry","reason":"…","by":"…"} and the journal's admin key; "completed" may carry the "result". Then run this execution again.`;

/** Longest reason that a sentence quotes; the description has all of it. */
const REASON_LIMIT = 250;

function doubt(step: string, key: string, origin: string, why?: string): Sentence {
	const reason = why?.replace(/\s+/g, ' ').slice(0, REASON_LIMIT);
	return {
		message: `Step "${step}" is in doubt${reason ? ` (${reason})` : ''}: it was started and nobody knows whether its effect happened, so look in the other system and resolve step ${key} before running this again.`,
		description: `${why ? `What is known: ${why}\n` : ''}${resolveCall(origin, key)}`,
	};
}

const asked = (name: string, origin: string): Sentence => ({
	message: `${name} is in doubt, and nobody has answered yet whether its effect happened: answer in the inbox of the journal, ${origin}/inbox, then run this execution again.`,
	description:
		'"It happened" takes the result that is entered there, "it did not" lets the step run again, "stop" makes it fail.',
});

function stopSentence(facts: StopFacts, label: Label): Sentence {
	const { key, origin, error } = facts;
	const step = label(facts.step);
	const why = error && `${error.message}${error.status ? ` (HTTP ${error.status})` : ''}`;
	switch (facts.kind) {
		case 'in_doubt':
			return doubt(step, key, origin, why);
		case 'failed':
			if (error?.code === 'resolved_failed')
				return {
					message: `Step "${step}" was stopped by a person (${why}): to let it run after all, resolve step ${key} as "retry".`,
					description: resolveCall(origin, key),
				};
			return {
				message: `Step "${step}" failed and trying again as it is will not help: ${why}`,
				description: `Correct the cause, then run this execution again: a new execution gets a new attempt. Attempt ${facts.attempt} of step ${key}.`,
			};
		case 'waiting_retry':
			return {
				message: `Step "${step}" failed for now and will be tried again at ${facts.nextAttemptAt}: run this execution again after that.`,
				description: why,
			};
		case 'overtaken':
			return {
				message: `Step "${step}" was settled by somebody else while it ran here: look at step ${key} in the journal, then run this execution again.`,
				description: `GET ${origin}/v1/steps/${key} shows its state. The lease may be shorter than the call: raise "Lease" in the options.`,
			};
		case 'result_omitted':
			return {
				message: `Step "${step}" is done, but its result was larger than the journal accepts and was not kept: let it return less, and start a new run.`,
				description: `The effect happened once and will not be repeated. Step ${key}.`,
			};
	}
}

function problemSentence(error: JournalError, label: Label): Sentence {
	const { problem, origin, code } = error;
	const step = error.step && label(error.step);
	const name = step ? `Step "${step}"` : 'This step';
	const detail = problem?.detail;
	const changed = problem?.changed?.join(', ') || 'the whole input';
	switch (code) {
		case 'step_in_doubt':
			return problem?.gateId ? asked(name, origin) : doubt(step ?? '', problem?.key ?? '', origin);
		case 'step_in_progress':
			return {
				message: `${name} is being executed by another execution${problem?.leaseExpiresAt ? ` (its lease ends at ${problem.leaseExpiresAt})` : ''}: run this one again when that has ended.`,
				description: detail,
			};
		case 'step_waiting_retry':
			return {
				message: `${name} waits for its next attempt${problem?.nextAttemptAt ? ` at ${problem.nextAttemptAt}` : ''}: run this execution again after that.`,
				description: detail,
			};
		case 'step_repeated':
			return {
				message: `${name} was already done at ${problem?.completedAt} in run "${problem?.runId}", and Once Per allows it once within its time: nothing was sent.`,
				description: detail,
			};
		case 'step_unsettled':
			return {
				message: `${name} was asked with another input (${changed}) while the try before is unsettled: resolve step ${problem?.previousKey}, or leave what changes out of the input.`,
				description: problem?.previousKey && resolveCall(origin, problem.previousKey),
			};
		case 'step_input_changed':
			return {
				message: `${name} already ran in this run with another input (changed: ${changed}): leave what changes out of the input, or set On Input Change to Run Again.`,
				description: detail,
			};
		case 'invalid_request': {
			const errors = problem?.errors?.map((each) => `${each.pointer} ${each.detail}`);
			return {
				message: `The journal did not accept the request: correct ${errors?.join('; ') || 'the parameters'}.`,
				description: detail,
			};
		}
		case 'payload_too_large':
			return {
				message: `The input of ${step ? `step "${step}"` : 'this step'} is larger than the journal accepts: pass a reference instead of the data itself; nothing was executed.`,
				description: detail,
			};
		default:
			return { message: detail ?? `The journal refused the request (${code}).` };
	}
}

function journalSentence(error: JournalError, label: Label): Sentence {
	const { origin } = error;
	const seconds = Math.round(error.triedMs / 1000);
	const outcome = error.acted
		? 'the step ran and its outcome could not be recorded, so it may be in doubt when the journal is back'
		: 'nothing was executed';
	switch (error.code) {
		case 'unauthorized':
			return {
				message:
					'The journal refused the API key: enter the value of its JOURNAL_API_KEY in the Journal API credential.',
				description: `Journal at ${origin}; ${outcome}.`,
			};
		case 'unreachable':
			return {
				message: `The journal at ${origin} gave no answer for ${seconds} s: start it, or correct its address in the Journal API credential; ${outcome}.`,
			};
		case 'blocked':
			return {
				message: `n8n's SSRF protection blocks the journal at ${origin}: allow its host with N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES.`,
			};
		case 'not_a_journal':
			return {
				message: `What answers at ${origin} is not a journal (HTTP ${error.status}): correct the address in the Journal API credential.`,
			};
		case 'bad_address':
			return {
				message:
					'The address in the Journal API credential is not an http or https URL: enter one such as http://127.0.0.1:5690.',
			};
		case 'store_damaged':
			return {
				message: `The database of the journal at ${origin} is damaged: stop it and restore a backup; ${outcome}.`,
				description: error.problem?.detail,
			};
		case 'store_busy':
		case 'internal_error':
			return {
				message: `The journal at ${origin} could not store anything for ${seconds} s: check its disk space and its log; ${outcome}.`,
				description: error.problem?.detail,
			};
		default:
			return problemSentence(error, label);
	}
}

/**
 * Turns what stopped a step into the one sentence that a person reads in n8n: what happened, and what
 * to do. Other errors come back unchanged, as far as they are errors.
 */
export function toNodeError(node: INode, error: unknown, itemIndex: number): Error {
	const label: Label = (step) => (step.endsWith(`/${node.id}`) ? node.name : step);
	const sentence =
		error instanceof StepStopped
			? stopSentence(error.facts, label)
			: error instanceof JournalError
				? journalSentence(error, label)
				: undefined;
	if (!sentence) return error instanceof Error ? error : new Error(String(error));
	const { message, description } = sentence;
	const nodeError = new NodeOperationError(node, message, { description, itemIndex });
	// n8n puts a sentence of its own in its place where it finds the name of a network error in it.
	nodeError.message = message;
	// A workflow that called this one as a step of its own decides by it.
	const facts = errorFacts(error);
	if (facts) nodeError.context.durable = { ...facts };
	return nodeError;
}
