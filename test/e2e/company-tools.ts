/** Tools of a small company for an agent, and the calls that a plan makes of them. */
import type { AgentScene } from './agent-scene';
import { getTool, postTool, type AgentSetting } from './idempotent-tools-workflow';

/** Charge happens once, Notify each time it is meant, Company is only read. */
export const companySetting = (
	{ credentials, receivers }: Pick<AgentScene, 'credentials' | 'receivers'>,
	more: Partial<AgentSetting> = {},
): AgentSetting => ({
	credentials,
	tools: [
		postTool('Charge', `${receivers.baseUrl}/invoices`),
		postTool('Notify', `${receivers.baseUrl}/mail/ops`),
		getTool('Company', `${receivers.baseUrl}/erp/companies`),
	],
	rules: [
		{ tool: 'Notify', calls: 'repeatable' },
		{ tool: 'Company', calls: 'readOnly' },
	],
	...more,
});

export const charge = (orderId: string, amount: unknown = 5) => ({
	tool: 'Charge',
	args: { orderId, amount },
});
export const notify = (orderId: string) => ({ tool: 'Notify', args: { orderId, amount: 1 } });
