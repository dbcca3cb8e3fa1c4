import { registerPages } from '../../../service/inbox/pages';
import { ADMIN_KEY, openApi, type Api } from '../../api';

export interface Page {
	readonly status: number;
	readonly html: string;
	readonly headers: Record<string, unknown>;
	/** The value of the cookie that was set, or undefined. */
	readonly cookie: string | undefined;
}

export interface Browser {
	readonly api: Api;
	get(path: string, headers?: Record<string, string>, method?: 'GET' | 'HEAD'): Promise<Page>;
	/** Posts a form. */
	post(
		path: string,
		fields: Record<string, string> | string,
		headers?: Record<string, string>,
	): Promise<Page>;
	/** Logs in and returns the headers of a browser on the inbox's own pages. */
	login(name?: string): Promise<Record<string, string>>;
}

export const ORIGIN = 'http://journal.test';

/** The pages over a database in memory, as a browser meets them at ORIGIN. */
export async function openBrowser(): Promise<Browser> {
	const api = await openApi();
	await registerPages(api.server, api.journal, { adminKey: ADMIN_KEY });
	const call = async (
		method: 'GET' | 'HEAD' | 'POST',
		url: string,
		headers: Record<string, string>,
		payload?: string,
	): Promise<Page> => {
		const answer = await api.server.inject({
			method,
			url,
			headers: { host: 'journal.test', ...headers },
			...(payload !== undefined && { payload }),
		});
		const cookie = answer.cookies.find(({ name }) => name === 'journal_session')?.value;
		return { status: answer.statusCode, html: answer.body, headers: answer.headers, cookie };
	};
	const post: Browser['post'] = async (path, fields, headers = {}) =>
		await call(
			'POST',
			path,
			{ 'content-type': 'application/x-www-form-urlencoded', ...headers },
			typeof fields === 'string' ? fields : new URLSearchParams(fields).toString(),
		);
	return {
		api,
		get: async (path, headers = {}, method = 'GET') => await call(method, path, headers),
		post,
		async login(name = 'Operator') {
			const headers = { origin: ORIGIN };
			const page = await post('/inbox/login', { name, key: ADMIN_KEY }, headers);
			return { ...headers, cookie: `journal_session=${page.cookie}` };
		},
	};
}
