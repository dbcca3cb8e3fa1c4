import { createHash } from 'node:crypto';
import { stepIdentity, type IdentityContext } from '../../../nodes/shared/step-identity';

interface Setting {
	/** The Run ID field as typed on the panel. */
	typed?: string;
	resumeUrl?: unknown;
	mode?: string;
	runIndex?: number;
	executionId?: string;
	/** First item of the trigger "When Executed by Another Workflow"; null: the trigger did not run. */
	trigger?: Record<string, unknown> | null;
}

const RESUME = 'http://127.0.0.1:5678/webhook-waiting/12?signature=abc123';

function contextOf(setting: Setting = {}): IdentityContext {
	const hasTrigger = setting.trigger !== undefined;
	return {
		evaluateExpression: () => setting.resumeUrl ?? RESUME,
		getExecutionId: () => setting.executionId ?? '12',
		getMode: () => setting.mode ?? 'webhook',
		getNode: () => ({
			id: 'node-1',
			name: 'Invoice',
			parameters: { runId: setting.typed ?? '' },
		}),
		getParentNodes: () =>
			hasTrigger
				? [{ name: 'Called', type: 'n8n-nodes-base.executeWorkflowTrigger', disabled: false }]
				: [{ name: 'Webhook', type: 'n8n-nodes-base.webhook', disabled: false }],
		getWorkflow: () => ({ id: 'wf', active: true }),
		getWorkflowDataProxy: () => ({
			$runIndex: setting.runIndex ?? 0,
			// What the node's first run sent out; a made-up one would not count (see round.test.ts).
			$items: () => [{ json: {} }],
			$: (name: string) => {
				if (name !== 'Called') throw new Error(`no node ${name}`);
				return {
					isExecuted: setting.trigger !== null,
					first: () => ({ json: setting.trigger }),
				};
			},
		}),
	} as unknown as IdentityContext;
}

const automatic = `exec:${createHash('sha256').update('abc123').digest('hex')}`;

it('takes what the person gave, within the workflow', async () => {
	expect(await stepIdentity(contextOf({ typed: 'A-7' }), 2, { runId: ' A-7 ' })).toEqual({
		runId: 'wf:A-7',
		step: 'wf/node-1',
		slot: 'wf/node-1#0.2',
		meta: { workflowId: 'wf', executionId: '12', node: 'node-1', nodeLabel: 'Invoice', item: 2 },
	});
});

it('takes a number, and shares a run across workflows when told to', async () => {
	const identity = await stepIdentity(contextOf({ typed: '={{ 7 }}' }), 0, {
		runId: 7,
		sharedRunId: true,
		stepName: 'invoice',
	});
	expect(identity).toMatchObject({ runId: '7', step: 'invoice' });
});

it('takes a number for the step name, too', async () => {
	const named = { runId: 'A-7', stepName: 7 };
	expect(await stepIdentity(contextOf({ typed: 'A-7' }), 0, named)).toMatchObject({ step: '7' });
});

it.each([undefined, null, '', '  ', Number.NaN, {}, true])(
	'refuses a Run ID whose expression gives %p, instead of falling back',
	async (runId) => {
		const context = contextOf({ typed: '={{ $json.orderId }}' });
		await expect(stepIdentity(context, 0, { runId })).rejects.toThrow(/Run ID/);
	},
);

it('is the same over retries, which have another execution id', async () => {
	const first = await stepIdentity(contextOf(), 0, {});
	const retry = await stepIdentity(contextOf({ executionId: '99', mode: 'retry' }), 0, {});
	expect(first.runId).toBe(automatic);
	expect(retry).toMatchObject({ runId: automatic, step: first.step, slot: first.slot });
});

it.each(['http://127.0.0.1:5678/webhook-waiting/12', 'not a URL', undefined, 12])(
	'says so when the execution has no lasting identity (%p)',
	async (resumeUrl) => {
		const context = contextOf();
		context.evaluateExpression = () => resumeUrl as string;
		await expect(stepIdentity(context, 0, {})).rejects.toThrow(/give a Run ID/);
	},
);

it('takes what a parent handed down', async () => {
	const context = contextOf({ trigger: { durable: { run: 'wf0:A-7', slot: 'wf0/n#0.1' } } });
	expect(await stepIdentity(context, 0, {})).toMatchObject({
		runId: 'wf0:A-7',
		slot: 'wf0/n#0.1>wf/node-1#0.0',
	});
});

it('lets a Run ID of its own win over the parent’s', async () => {
	const context = contextOf({
		typed: 'B-1',
		trigger: { durable: { run: 'wf0:A-7', slot: 'wf0/n#0.1' } },
	});
	expect((await stepIdentity(context, 0, { runId: 'B-1' })).runId).toBe('wf:B-1');
});

it.each([
	{},
	{ durable: 'x' },
	{ durable: { run: 'wf0:A-7' } },
	{ durable: { run: 7, slot: 's' } },
])('refuses a caller that handed down %p', async (trigger) => {
	const context = contextOf({ trigger, mode: 'integrated' });
	await expect(stepIdentity(context, 0, {})).rejects.toThrow(/called by another one/);
});

it('lets a called workflow be tried out by hand, and started by another trigger', async () => {
	expect((await stepIdentity(contextOf({ trigger: {}, mode: 'manual' }), 0, {})).runId).toBe(
		automatic,
	);
	expect((await stepIdentity(contextOf({ trigger: null }), 0, {})).runId).toBe(automatic);
});

it('tells the runs of a loop apart by the slot alone', async () => {
	const second = await stepIdentity(contextOf({ runIndex: 1 }), 0, {});
	expect(second).toMatchObject({ step: 'wf/node-1', slot: 'wf/node-1#1.0' });
});
