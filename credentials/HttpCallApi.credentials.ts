import type {
	IAuthenticate,
	ICredentialDataDecryptedObject,
	Icon,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

const shownFor = (...methods: string[]): INodeProperties['displayOptions'] => ({
	show: { method: methods },
});

/**
 * How a receiver of Idempotent Tool Call's HTTP requests knows who asks; never part of a step's key.
 * It is for any receiver, so there is no address to test it with.
 */
// eslint-disable-next-line @n8n/community-nodes/credential-test-required
export class HttpCallApi implements ICredentialType {
	name = 'httpCallApi';

	displayName = 'HTTP Call API';

	documentationUrl = 'https://docs.n8n.io/integrations/community-nodes/usage/';

	icon: Icon = { light: 'file:httpCallApi.svg', dark: 'file:httpCallApi.dark.svg' };

	properties: INodeProperties[] = [
		{
			displayName: 'Method',
			name: 'method',
			type: 'options',
			options: [
				{ name: 'Basic', value: 'basic', description: 'User and password' },
				{ name: 'Bearer Token', value: 'bearer', description: 'Authorization: Bearer …' },
				{ name: 'Header', value: 'header', description: 'A header of any name' },
				{ name: 'Query Parameter', value: 'query', description: 'A parameter in the address' },
			],
			default: 'bearer',
		},
		{
			displayName: 'User',
			name: 'user',
			type: 'string',
			default: '',
			displayOptions: shownFor('basic'),
		},
		{
			displayName: 'Password',
			name: 'password',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			displayOptions: shownFor('basic'),
		},
		{
			displayName: 'Name',
			name: 'name',
			type: 'string',
			default: '',
			placeholder: 'e.g. X-API-Key',
			displayOptions: shownFor('header', 'query'),
		},
		{
			displayName: 'Secret',
			name: 'secret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			displayOptions: shownFor('bearer', 'header', 'query'),
			description: 'The token or key itself, without "Bearer"',
		},
	];

	authenticate: IAuthenticate = authenticate;
}

async function authenticate(
	{ method, user, password, name, secret }: ICredentialDataDecryptedObject,
	request: IHttpRequestOptions,
): Promise<IHttpRequestOptions> {
	switch (method) {
		case 'basic':
			return { ...request, auth: { username: String(user), password: String(password) } };
		case 'query':
			return { ...request, qs: { ...request.qs, [String(name)]: secret } };
		case 'header':
			return { ...request, headers: { ...request.headers, [String(name)]: secret } };
		default:
			return { ...request, headers: { ...request.headers, Authorization: `Bearer ${secret}` } };
	}
}
