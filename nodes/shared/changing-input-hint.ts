import type { NodeHint } from 'n8n-workflow';

/**
 * Warns on the panel where a field that identifies the step contains the current time, the execution
 * or chance: every try would be another step.
 * @param field name of the parameter
 * @param consequence what happens then, as the second half of the sentence
 */
export function changingInputHint(field: string, consequence: string): NodeHint {
	return {
		type: 'warning',
		message: `This input holds something that changes between tries (the time, the execution or chance), so ${consequence}.`,
		displayCondition: `={{ /\\$(now|today|execution)\\b|Date\\(|Date\\.now|Math\\.random/.test(String($rawParameter.${field})) }}`,
		whenToDisplay: 'always',
		location: 'ndv',
	};
}
