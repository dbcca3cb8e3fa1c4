/**
 * Asks n8n whether an execution of this workflow has ended without success. Never throws.
 * @returns n8n's word for how it ended; undefined where it runs, waits, succeeded or is not known
 */
export type EndedExecution = (
	executionId: string,
	workflowId: string | undefined,
) => Promise<string | undefined>;
