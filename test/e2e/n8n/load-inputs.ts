/** What n8n's editor asks of Idempotent Tool Call when somebody has chosen a workflow to call. */
import type { ResourceMapperFields } from 'n8n-workflow';
import { httpRequest } from '../../http-request';
import { OWNER } from './create-api-key';
import type { N8n } from './start-n8n';

/** n8n binds the session cookie to this header. */
const BROWSER = { 'browser-id': 'end-to-end-tests' };

/** The fields of Pass Inputs As: Fields for a workflow, as the editor gets them. */
export async function loadInputs(n8n: N8n, workflowId: string): Promise<ResourceMapperFields> {
	const login = await httpRequest(
		'POST',
		`${n8n.baseUrl}/rest/login`,
		{ emailOrLdapLoginId: OWNER.email, password: OWNER.password },
		BROWSER,
	);
	const cookies = [login.headers['set-cookie']].flat();
	const cookie = cookies.find((text) => text?.startsWith('n8n-auth='))?.split(';')[0];
	if (!cookie) throw new Error(`login: ${login.status} ${JSON.stringify(login.body)}`);
	const { status, body } = await httpRequest(
		'POST',
		`${n8n.baseUrl}/rest/dynamic-node-parameters/local-resource-mapper-fields`,
		{
			path: 'parameters.workflowFields',
			methodName: 'loadSubWorkflowInputs',
			nodeTypeAndVersion: { name: 'n8n-nodes-durable.idempotentToolCall', version: 1 },
			currentNodeParameters: {
				operation: 'subWorkflow',
				inputMode: 'fields',
				workflowId: { __rl: true, mode: 'list', value: workflowId },
			},
		},
		{ ...BROWSER, cookie },
	);
	if (status !== 200) throw new Error(`fields: ${status} ${JSON.stringify(body)}`);
	return body.data;
}
