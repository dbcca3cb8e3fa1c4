/** What callers ask of the journal, in all parts of the bench. */

/** 1 KB. */
export const RESULT = { text: 'x'.repeat(1_000) };
export const STEPS_OF_A_RUN = 10;
/** So long that no lease of the bench runs out, which would be work beside the measurement. */
const DAY_MS = 86_400_000;

/** The claim of the `index`th step of all runs whose ids begin with `prefix`. */
export const claimOf = (prefix, index) => ({
	runId: `${prefix}-${Math.floor(index / STEPS_OF_A_RUN)}`,
	step: `step-${index % STEPS_OF_A_RUN}`,
	input: { amount: 490, index },
	slot: `workflow/node-${index % STEPS_OF_A_RUN}#0.0`,
	leaseMs: DAY_MS,
});

/** Claim and complete: two requests, two commits. */
export async function step(client, claim) {
	const { key, fencingToken } = JSON.parse(await client.post('/v1/steps/claim', claim));
	await client.post(`/v1/steps/${key}/complete`, { fencingToken, result: RESULT });
}

/** Ten steps one after another. */
export async function runOfTen(client, prefix, index) {
	for (let at = 0; at < STEPS_OF_A_RUN; at++)
		await step(client, claimOf(prefix, index * STEPS_OF_A_RUN + at));
}

/** One call that claims so many new steps. */
export async function claimMany(client, prefix, call, count) {
	const steps = Array.from({ length: count }, (_, at) => claimOf(prefix, call * count + at));
	const { results } = JSON.parse(await client.post('/v1/steps/claim-many', { steps }));
	const wrong = results.find(({ status }) => status !== 200);
	if (wrong) throw new Error(`claim-many: ${JSON.stringify(wrong)}`);
	return results.map(({ body }) => body);
}

/** Completes the first `count` steps of a prefix (a multiple of 100), for replays. */
export async function completeSteps(client, prefix, count) {
	for (let call = 0; call < count / 100; call++) {
		const claims = await claimMany(client, prefix, call, 100);
		const steps = claims.map(({ key, fencingToken }) => ({ key, fencingToken, result: RESULT }));
		await client.post('/v1/steps/complete-many', { steps });
	}
}

/** Asks for a step that is completed. Rejects when it is not given back. */
export async function replay(client, claim) {
	const answer = await client.post('/v1/steps/claim', claim);
	if (!answer.includes('"replay"')) throw new Error(`not a replay: ${answer.slice(0, 200)}`);
}
