import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { NodeConnectionTypes, SEND_AND_WAIT_OPERATION } from 'n8n-workflow';
import { changingInputHint } from '../shared/changing-input-hint';
import { ask } from './ask';
import { OUTPUTS } from './outputs';
import { gateProperties } from './properties';
import { WAKE_UP_PATH } from './resume-url';
import { wakeUp } from './wake-up';

// The webhook resumes waiting executions and registers nothing elsewhere; for agents n8n generates the
// human-review variant from the operation, and a tool that waits for people would be a second, weaker one.
// eslint-disable-next-line @n8n/community-nodes/node-usable-as-tool, @n8n/community-nodes/webhook-lifecycle-complete
export class ApprovalGate implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Approval Gate',
		name: 'approvalGate',
		icon: { light: 'file:approvalGate.svg', dark: 'file:approvalGate.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["title"] }}',
		description: 'Waits until people approve or reject, also over restarts of n8n',
		defaults: { name: 'Approval Gate' },
		inputs: [NodeConnectionTypes.Main],
		outputs: OUTPUTS,
		hints: [changingInputHint('details', 'a retry asks people again')],
		credentials: [{ name: 'journalApi', required: true }],
		waitingNodeTooltip: 'Waiting for a decision. Open gates are on the inbox page of the journal.',
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				responseData: '',
				path: WAKE_UP_PATH,
				restartWebhook: true,
				isFullPath: true,
			},
		],
		properties: [
			{
				displayName: 'Operation',
				name: 'operation',
				type: 'options',
				noDataExpression: true,
				default: SEND_AND_WAIT_OPERATION,
				options: [
					{
						name: 'Send and Wait for Decision',
						value: SEND_AND_WAIT_OPERATION,
						description: 'Ask people and wait for what they decide',
						action: 'Ask and wait for a decision',
					},
				],
			},
			...gateProperties,
		],
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await ask(this);
	}

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await wakeUp(this);
	}
}
