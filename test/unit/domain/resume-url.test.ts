import {
	executionIdOf,
	reachableResumeUrl,
	resumeUrlRefusal,
} from '../../../service/domain/resume-url';
import { derivedKey, openSealedText, sealText } from '../../../service/domain/sealed-text';

const URL_OF_N8N =
	'http://localhost:5678/n8n/webhook-waiting/42/gate?signature=abc&x=/webhook-waiting/';

test.each([
	[URL_OF_N8N, undefined],
	['https://n8n.example.com/webhook-waiting/1', undefined],
	['ftp://n8n/webhook-waiting/1', 'is no http or https URL'],
	['javascript:alert(1)//webhook-waiting/', 'is no http or https URL'],
	['/webhook-waiting/1', 'is no http or https URL'],
	['http://n8n/?u=/webhook-waiting/', expect.stringContaining('/webhook-waiting/')],
	['http://n8n/webhook-waiting', expect.stringContaining('/webhook-waiting/')],
	['http://n8n/webhook-waiting/../x', expect.stringContaining('/webhook-waiting/')],
])('%s', (url, refusal) => expect(resumeUrlRefusal(url)).toEqual(refusal));

test.each([
	[undefined, URL_OF_N8N],
	['http://n8n:5678', 'http://n8n:5678/webhook-waiting/42/gate?signature=abc&x=/webhook-waiting/'],
	['https://in/a/', 'https://in/a/webhook-waiting/42/gate?signature=abc&x=/webhook-waiting/'],
])('reached through %s', (base, url) => expect(reachableResumeUrl(URL_OF_N8N, base)).toBe(url));

test('names its execution', () => {
	expect(executionIdOf(URL_OF_N8N)).toBe('42');
	expect(executionIdOf('http://n8n/webhook-waiting/')).toBeUndefined();
});

describe('sealed', () => {
	const key = derivedKey(Buffer.from('secret'), 'resume-url');
	const iv = Buffer.alloc(12, 7);
	const sealed = sealText(key, iv, URL_OF_N8N);

	test('is read back with the same key only, and hides what it holds', () => {
		expect(openSealedText(key, sealed)).toBe(URL_OF_N8N);
		expect(openSealedText(derivedKey(Buffer.from('other'), 'resume-url'), sealed)).toBeUndefined();
		expect(openSealedText(derivedKey(Buffer.from('secret'), 'other'), sealed)).toBeUndefined();
		expect(Buffer.from(sealed, 'base64').toString('latin1')).not.toContain('signature');
	});

	test('is refused when altered or cut', () => {
		const bytes = Buffer.from(sealed, 'base64');
		bytes[bytes.length - 1]! ^= 1;
		expect(openSealedText(key, bytes.toString('base64'))).toBeUndefined();
		expect(openSealedText(key, sealed.slice(0, 20))).toBeUndefined();
		expect(openSealedText(key, '')).toBeUndefined();
	});
});
