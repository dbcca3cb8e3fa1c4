import type { GenericValue, IDataObject, NodeTypeAndVersion } from 'n8n-workflow';

/** What identifies a model in a step's key. */
export interface ModelIdentity extends IDataObject {
	/** Node type, e.g. `@n8n/n8n-nodes-langchain.lmChatOpenAi`. */
	type: string;
	/** Its parameters, evaluated, without those that change nothing in the answer. */
	parameters: IDataObject;
}

type Evaluate = (expression: string) => unknown;

/** How the model is reached, not what it answers: changing them must not pay for the answer again. */
const IRRELEVANT = new Set(['maxRetries', 'timeout', 'notice']);

/**
 * Reads the identity of a connected model from the parameters of its node, without building the
 * model: asking n8n for it would decrypt credentials and load the provider's client on every replay.
 * Credentials are not part of it.
 * @param evaluate resolves an expression (without its leading `=`) for the current item
 */
export function modelIdentity(
	node: Pick<NodeTypeAndVersion, 'type' | 'parameters'>,
	evaluate: Evaluate,
): ModelIdentity {
	return { type: node.type, parameters: (settle(node.parameters, evaluate) ?? {}) as IDataObject };
}

/** The name of the model, where its node has one in the usual places; shown until the answer names it. */
export function modelName(identity: ModelIdentity): string | undefined {
	const { model, modelName: name, modelId, deployment } = identity.parameters;
	return [model, name, modelId, deployment].find((value) => typeof value === 'string') as
		string | undefined;
}

/** Evaluates and trims: empty values are those that the panel leaves out when nobody touched them. */
function settle(value: unknown, evaluate: Evaluate): GenericValue | IDataObject {
	const evaluated =
		typeof value === 'string' && value.startsWith('=') ? evaluate(value.slice(1)) : value;
	if (evaluated === '' || evaluated === null || evaluated === undefined) return undefined;
	if (Array.isArray(evaluated)) {
		return evaluated.map((member) => settle(member, evaluate) ?? null) as unknown as GenericValue;
	}
	if (typeof evaluated !== 'object') return evaluated as GenericValue;
	const source = evaluated as IDataObject;
	// A resource locator also caches how its choice is shown in the panel.
	if (source.__rl === true) return settle(source.value, evaluate);
	const settled: IDataObject = {};
	for (const [name, member] of Object.entries(source)) {
		const kept = IRRELEVANT.has(name) ? undefined : settle(member, evaluate);
		if (kept !== undefined) settled[name] = kept;
	}
	return Object.keys(settled).length > 0 ? settled : undefined;
}
