/**
 * The last part of the path under which this node's `webhook()` is woken. It is no node id, so n8n
 * checks the execution's own resume token for it.
 */
export const WAKE_UP_PATH = 'durable-gate';

/**
 * n8n's resume URL with this node's path in it.
 *
 * The path goes before the query, where the token is: glued to the end it would become part of the
 * token, and n8n would refuse it.
 * @param resumeUrl what `$execution.resumeUrl` gives
 * @throws TypeError when n8n gives no URL
 */
export function wakeUpUrl(resumeUrl: string): string {
	const url = new URL(resumeUrl);
	url.pathname = `${url.pathname.replace(/\/+$/, '')}/${WAKE_UP_PATH}`;
	return url.toString();
}
