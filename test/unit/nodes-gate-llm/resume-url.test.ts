import { WAKE_UP_PATH, wakeUpUrl } from '../../../nodes/ApprovalGate/resume-url';

it.each([
	['http://127.0.0.1:5678/webhook-waiting/7?signature=ab12', '/webhook-waiting/7'],
	['https://n8n.example.com/base/webhook-waiting/7?signature=ab12', '/base/webhook-waiting/7'],
	['https://n8n.example.com/webhook-waiting/7/?signature=ab12', '/webhook-waiting/7'],
])('puts the path before the query of %s', (resumeUrl, pathname) => {
	const url = new URL(wakeUpUrl(resumeUrl));
	expect(url.pathname).toBe(`${pathname}/${WAKE_UP_PATH}`);
	expect(url.search).toBe('?signature=ab12');
	expect(url.origin).toBe(new URL(resumeUrl).origin);
});

it.each(['', 'undefined', '/webhook-waiting/7'])('refuses %p', (resumeUrl) => {
	expect(() => wakeUpUrl(resumeUrl)).toThrow();
});
