/** An Approval Gate in n8n's execution engine. */
import type { IDataObject, INode, IRun } from 'n8n-workflow';
import { ApprovalGate } from '../../nodes/ApprovalGate/ApprovalGate.node';
import { coreNode, journalCredential, runInN8nCore, type CoreSetting } from './n8n-core';

export interface GateRun extends Pick<CoreSetting, 'credential' | 'items' | 'mode' | 'signature'> {
	parameters: IDataObject;
}

export interface GateResult {
	run: IRun;
	/** Whether the execution waits now. */
	waits: boolean;
	/** What the gate sent out: output → items. */
	outputs: IDataObject[][];
	error?: { message: string; description?: string };
}

/** Start → Gate, in workflow `workflow-1`. */
export async function runGate({ parameters, ...setting }: GateRun): Promise<GateResult> {
	const gate = coreNode('Gate', {
		parameters: { title: 'Go on?', details: '={{ $json }}', ...parameters } as INode['parameters'],
		credentials: journalCredential,
	});
	const run = await runInN8nCore({
		...setting,
		types: { gate: new ApprovalGate() },
		nodes: [gate],
		connections: { Start: { main: [[{ node: 'Gate', type: 'main', index: 0 }]] } },
	});
	const { runData, error } = run.data.resultData;
	const outputs = runData.Gate?.at(-1)?.data?.main ?? [];
	return {
		run,
		waits: run.waitTill !== undefined && run.waitTill !== null,
		outputs: outputs.map((output) => (output ?? []).map(({ json }) => json)),
		error: error as GateResult['error'],
	};
}
