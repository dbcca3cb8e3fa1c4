import type {
	IAuthenticateGeneric,
	Icon,
	ICredentialTestRequest,
	ICredentialType,
	INodeProperties,
} from 'n8n-workflow';

/** Address and key of the durable journal, for all nodes of this package. */
export class JournalApi implements ICredentialType {
	name = 'journalApi';

	displayName = 'Journal API';

	documentationUrl = 'https://docs.n8n.io/integrations/community-nodes/usage/';

	icon: Icon = { light: 'file:journalApi.svg', dark: 'file:journalApi.dark.svg' };

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: 'http://127.0.0.1:5690',
			description:
				"Where n8n reaches the journal service. With n8n's SSRF protection on, allow this host with N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES.",
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description:
				'The JOURNAL_API_KEY of the journal service; its log says where the key is kept when it made one itself',
		},
	];

	authenticate: IAuthenticateGeneric = {
		type: 'generic',
		properties: { headers: { Authorization: '=Bearer {{$credentials.apiKey}}' } },
	};

	test: ICredentialTestRequest = {
		request: { baseURL: '={{$credentials.baseUrl}}', url: '/v1' },
	};
}
