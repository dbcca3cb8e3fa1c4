/** A node of n8n's engine that does what a test says. */
import type { IExecuteFunctions, INodeType } from 'n8n-workflow';
import { coreNode, runInN8nCore } from './n8n-core';

/** Does something as a node of an execution of its own. */
export async function inNode<T>(act: (context: IExecuteFunctions) => Promise<T>): Promise<T> {
	let outcome: T | undefined;
	const probe = {
		description: {
			...{ displayName: 'probe', name: 'probe', group: ['transform'], version: 1 },
			...{ description: 'probe', defaults: { name: 'probe' }, properties: [] },
			...{ inputs: ['main'], outputs: ['main'] },
		},
		async execute(this: IExecuteFunctions) {
			outcome = await act(this);
			return [[]];
		},
	} as INodeType;
	const run = await runInN8nCore({
		types: { probe },
		nodes: [coreNode('Probe')],
		connections: { Start: { main: [[{ node: 'Probe', type: 'main', index: 0 }]] } },
		credential: { baseUrl: '', apiKey: '' },
	});
	if (run.data.resultData.error) throw run.data.resultData.error;
	return outcome as T;
}
