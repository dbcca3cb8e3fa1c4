import type { INodeProperties } from 'n8n-workflow';
import { only } from '../operation-property';

export const connectedToolProperties: INodeProperties[] = [
	{
		displayName:
			'Connect one tool below. It runs once for each item; a retry gets the recorded result. Leave the tool\'s own <b>On Error</b> and <b>Retry On Fail</b> unset, and do not use "Execute step" on the tool itself: that runs it unrecorded.',
		name: 'connectedToolNotice',
		type: 'notice',
		default: '',
		displayOptions: only('connectedTool'),
	},
	{
		displayName: 'Arguments',
		name: 'toolArguments',
		type: 'json',
		default: '={{ $json }}',
		displayOptions: only('connectedTool'),
		// eslint-disable-next-line n8n-nodes-base/node-param-description-miscased-json -- an expression
		description:
			'What identifies the call, together with the kind of tool, and what the tool reads as {{ $json.name }} or $fromAI("name"). The idempotency key and the run ID are at {{ $json.idempotencyKey }} and {{ $json.runId }}. Leave out what changes between tries, such as the time. What is typed into the tool itself is not part of the identity.',
	},
	{
		displayName: 'Tool Name',
		name: 'toolName',
		type: 'string',
		default: '',
		displayOptions: only('connectedTool'),
		description: 'Which tool of a toolkit to call, such as an MCP Client. Empty for all others.',
	},
];
