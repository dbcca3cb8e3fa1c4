import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { changingInputHint } from '../shared/changing-input-hint';
import { errorItem } from '../shared/error-item';
import { journalForAllItems } from '../shared/journal-for-all-items';
import { toNodeError } from '../shared/node-error';
import { llmProperties } from './properties';
import { runModelStep } from './run-model-step';

// As an agent's tool n8n would take its model input away.
// eslint-disable-next-line @n8n/community-nodes/node-usable-as-tool
export class DurableLlmStep implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Durable LLM Step',
		name: 'durableLlmStep',
		icon: { light: 'file:durableLlmStep.svg', dark: 'file:durableLlmStep.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["prompt"] }}',
		description: 'Asks a chat model once; retries and restarts get the journaled answer',
		defaults: { name: 'Durable LLM Step' },
		inputs: [
			NodeConnectionTypes.Main,
			{
				displayName: 'Model',
				type: NodeConnectionTypes.AiLanguageModel,
				maxConnections: 1,
				required: true,
			},
		],
		outputs: [NodeConnectionTypes.Main],
		hints: [changingInputHint('prompt', 'a retry calls the model again')],
		credentials: [{ name: 'journalApi', required: true }],
		properties: llmProperties,
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const out: INodeExecutionData[] = [];
		const openJournal = journalForAllItems(this);
		for (let item = 0; item < this.getInputData().length; item++) {
			try {
				const answer = await runModelStep(this, item, openJournal);
				out.push({ json: { ...answer }, pairedItem: { item } });
			} catch (error) {
				const failure = toNodeError(this.getNode(), error, item);
				if (!this.continueOnFail()) throw failure;
				out.push(errorItem(failure, error, item));
			}
		}
		return [out];
	}
}
