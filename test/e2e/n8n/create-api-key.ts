import { httpRequest, type HttpAnswer } from '../../http-request';

/** The owner of every n8n the tests start; the instances live on loopback and are thrown away. */
export const OWNER = {
	email: 'owner@example.com',
	firstName: 'Test',
	lastName: 'Owner',
	password: 'Durable-test-1',
};

/** n8n binds the session cookie to this header. */
const BROWSER = { 'browser-id': 'end-to-end-tests' };

function checked<T extends HttpAnswer>(what: string, answer: T): T {
	if (answer.status !== 200)
		throw new Error(`${what}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 500)}`);
	return answer;
}

/** Sets up the owner of a fresh n8n and returns an API key with every scope. */
export async function createApiKey(baseUrl: string): Promise<string> {
	const call = (method: string, path: string, body?: unknown, cookie = '') =>
		httpRequest(method, baseUrl + path, body, { ...BROWSER, ...(cookie && { cookie }) });
	const owner = checked('owner set-up', await call('POST', '/rest/owner/setup', OWNER));
	const cookies = [owner.headers['set-cookie']].flat();
	const cookie = cookies.find((text) => text?.startsWith('n8n-auth='))!.split(';')[0]!;
	const scopes = checked('scopes', await call('GET', '/rest/api-keys/scopes', undefined, cookie));
	const key = checked(
		'API key',
		await call(
			'POST',
			'/rest/api-keys',
			{ label: 'end-to-end tests', scopes: scopes.body.data, expiresAt: null },
			cookie,
		),
	);
	return key.body.data.rawApiKey;
}
