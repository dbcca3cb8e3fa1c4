import { openApi, type Api } from '../../api';

let api: Api;
beforeEach(async () => {
	api = await openApi();
});
afterEach(async () => await api.close());

test('whoever asks about a step in doubt is referred to a gate that can be answered', async () => {
	const claim = async () =>
		(await api.post('/v1/steps/claim', { runId: 'r', step: 's', input: 1, onInDoubt: 'ask' })).body;
	const { key, fencingToken } = await claim();
	api.clock.advance(60_000);
	const { gateId } = await claim();
	await api.admin('POST', `/v1/gates/${gateId}/decide`, { decision: 'not_happened', by: 'ann' });
	// Its holder is alive after all, and does not know either.
	const report = { fencingToken, error: { message: 'timed out' }, verdict: 'in_doubt' };
	await api.post(`/v1/steps/${key}/fail`, report);
	const again = await claim();
	expect(again.code).toBe('step_in_doubt');
	expect((await api.call('GET', `/v1/gates/${again.gateId}`)).body.state).toBe('open');
});
