import type { INode } from 'n8n-workflow';

const QUOTED = String.raw`'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|` + '`(?:\\\\.|[^`\\\\])*`';
const MEMBER = String.raw`\s*(?:\?\.|\.)?\s*\[?\s*['"` + '`]?';
/**
 * What n8n resolves to the first item in a tool that it runs for another node: `$('Node').item` and
 * its relatives in every notation, and the index of the item.
 */
const FIRST_ITEM_ONLY = new RegExp(
	String.raw`\$\(\s*(?:${QUOTED}|[^)]*)\s*\)${MEMBER}(?:item|itemMatching|pairedItem)\b|\$itemIndex\b`,
);

function refersToItem(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=') && FIRST_ITEM_ONLY.test(value);
	return typeof value === 'object' && value !== null && Object.values(value).some(refersToItem);
}

/**
 * Why the tool cannot run for several items, as one sentence; undefined where it can.
 * @param instead what to do
 */
export const itemReferenceRefusal = (
	{ name, parameters }: INode,
	instead = 'put the value into Arguments and read it as {{ $json.name }}',
): string | undefined =>
	refersToItem(parameters)
		? `"${name}" uses $('…').item or $itemIndex, which n8n resolves to the first item here: ${instead}.`
		: undefined;
