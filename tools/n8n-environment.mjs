/**
 * The environment of an n8n that runs on this machine for itself alone: loopback, SQLite, no calls home.
 * n8n's protection against server-side request forgery is off by default. Whoever turns it on
 * (N8N_SSRF_PROTECTION_ENABLED=true) must allow the journal's address: N8N_SSRF_ALLOWED_IP_RANGES=127.0.0.0/8
 * @param {{ userFolder: string, port: number, brokerPort: number }} where brokerPort: n8n's task
 *   runners meet there; one per instance
 */
export const n8nEnvironment = ({ userFolder, port, brokerPort }) => ({
	N8N_USER_FOLDER: userFolder,
	N8N_PORT: String(port),
	N8N_LISTEN_ADDRESS: '127.0.0.1',
	N8N_HOST: '127.0.0.1',
	N8N_RUNNERS_BROKER_PORT: String(brokerPort),
	WEBHOOK_URL: `http://127.0.0.1:${port}/`,
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_SECURE_COOKIE: 'false',
});
