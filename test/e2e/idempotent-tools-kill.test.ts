/** Idempotent Tools in a real n8n that is killed while receivers hold calls of its agents. */
import type { Plan } from '../stand-ins/chat-model';
import { effectsOf, runToEnd, toldIn, useAgentScene } from './agent-scene';
import { charge, companySetting, notify } from './company-tools';
import { agentWorkflow, planned } from './idempotent-tools-workflow';
import { errorOf, type Execution } from './n8n/n8n-client';

jest.setTimeout(240_000);

const scene = useAgentScene();
const workflows = new Map<string, string>();

const told = (runId: string, from = 0) => toldIn(scene, runId, from);
const effects = (order: string) => effectsOf(scene, order);

describe('when n8n is killed while receivers hold calls of agents', () => {
	const CASES = [
		{ name: 'k-before', when: 'before', settings: {} },
		{ name: 'k-after', when: 'after', settings: {} },
		{ name: 'k-saved', when: 'after', settings: { saveExecutionProgress: true } },
	] as const;
	const plan = (name: string): Plan => [
		[charge(`${name}-done`), notify(`${name}-done`)],
		[charge(`${name}-held`)],
		[charge(`${name}-next`)],
	];
	const retried = new Map<string, Execution>();
	let asked: number;

	beforeAll(async () => {
		const killed = new Map<string, string>();
		for (const { name, when, settings } of CASES) {
			await scene.receivers.hold({ path: '/invoices', ref: `${name}-held`, when });
			const runId = name === 'k-saved' ? undefined : '';
			const definition = agentWorkflow(
				name,
				companySetting(scene, runId === undefined ? {} : { runId }),
			);
			workflows.set(name, await scene.n8n.client.createWorkflow({ ...definition, settings }));
			const body = planned(name, plan(name));
			killed.set(name, await scene.n8n.client.run(workflows.get(name)!, name, body));
		}
		await scene.receivers.waitForHeld(CASES.length);
		await scene.n8n.kill();
		await scene.receivers.release();
		asked = scene.model.calls.length;
		await scene.n8n.restart();
		for (const { name } of CASES) {
			await scene.n8n.client.waitForStatus(killed.get(name)!, 'crashed');
			const id = await scene.n8n.client.retry(killed.get(name)!);
			retried.set(name, await scene.n8n.client.waitForStatus(id, ['success', 'error']));
		}
	});

	/** What must hold whichever execution went on to the end. */
	async function expectOneEffectEach(name: string): Promise<void> {
		const said = told(name, asked);
		expect(said).toHaveLength(4);
		expect(said[2]).toMatch(/IN DOUBT: nobody knows .*Do not try it again/);
		expect(await effects(`${name}-done`)).toEqual({ '/invoices': 1, '/mail/ops': 1 });
		expect((await effects(`${name}-held`))['/invoices'] ?? 0).toBe(name === 'k-before' ? 0 : 1);
		expect(await effects(`${name}-next`)).toEqual({ '/invoices': 1 });
	}

	it.each(['k-before', 'k-after'])(
		'%s: the call in flight is in doubt, the others are not repeated',
		async (name) => {
			expect(errorOf(retried.get(name)!)).toBeUndefined();
			await expectOneEffectEach(name);
		},
	);

	it('does not let n8n resume an agent behind the call in flight, as it does with saved progress', async () => {
		const { error } = retried.get('k-saved')!.data.resultData;
		expect(JSON.stringify(error)).toMatch(/without the answer to a call of ."Charge."/);
		expect(await effects('k-saved-next')).toEqual({});
		const body = planned('k-saved', plan('k-saved'));
		await runToEnd(scene, workflows.get('k-saved')!, 'k-saved', body);
		await expectOneEffectEach('k-saved');
	});
});
