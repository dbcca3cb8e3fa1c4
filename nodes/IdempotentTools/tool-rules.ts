import type { IExecuteFunctions, ISupplyDataFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { OnInDoubt } from '../../service/contract/steps';
import { isNamed } from '../shared/toolkit';
import { parseFieldPaths, type FieldPath } from '../shared/key-fields';
import type { InnerTool } from './inner-tools';

/** What the same call of a tool again means. */
export type CallKind = 'once' | 'repeatable' | 'readOnly';

export interface ToolRule {
	calls: CallKind;
	/** Undefined: as the node's options say. */
	onInDoubt?: OnInDoubt;
	/** The claim is refused until this gate is approved. */
	gateId?: string;
	/** Arguments that identify the call; empty: all. */
	keyArguments: FieldPath[];
}

interface RawRule {
	tool?: string;
	calls?: CallKind;
	onInDoubt?: OnInDoubt | 'default';
	needsGate?: boolean;
	gateId?: unknown;
	keyArguments?: string;
}

type RuleContext = Pick<IExecuteFunctions, 'getNodeParameter' | 'getNode'> &
	Partial<Pick<ISupplyDataFunctions, 'logger'>>;

const names = (rule: RawRule, { name, node }: InnerTool): boolean => {
	const asked = String(rule.tool ?? '').trim();
	return asked === node.name || isNamed(asked, node.name, name);
};

const readRules = (context: RuleContext): RawRule[] =>
	(context.getNodeParameter('rules', 0, {}) as { rule?: RawRule[] }).rule ?? [];

/** A rule without a tool protects nothing, and nobody would notice: it is refused. */
export function refuseIdleRules(context: RuleContext, tools: InnerTool[]): void {
	const idle = readRules(context).find((rule) => !tools.some((tool) => names(rule, tool)));
	if (!idle) return;
	throw new NodeOperationError(
		context.getNode(),
		`The rule for "${idle.tool ?? ''}" names no connected tool: use one of ${tools.map(({ name }) => name).join(', ')}.`,
	);
}

/** The rule of a tool; the last of several, and the defaults where there is none. */
export function ruleFor(context: RuleContext, tool: InnerTool): ToolRule {
	const rule = readRules(context).findLast((each) => names(each, tool)) ?? {};
	const { onInDoubt } = rule;
	const gateId = String(rule.gateId ?? '').trim();
	if (rule.needsGate && gateId === '') {
		throw new NodeOperationError(
			context.getNode(),
			`The rule for "${tool.name}" asks for an approved gate, and its Gate ID gives nothing: correct the expression.`,
		);
	}
	return {
		calls: rule.calls ?? 'once',
		...(onInDoubt && onInDoubt !== 'default' && { onInDoubt }),
		...(rule.needsGate && { gateId }),
		keyArguments: parseFieldPaths(rule.keyArguments ?? ''),
	};
}
