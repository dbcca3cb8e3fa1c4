import { withoutDurable } from '../shared/without-durable';

type Members = Record<string, unknown>;

/** What a tool reads beside the model's arguments, by its own parameters. */
export interface ItemReads {
	/** Members of the agent's item, from the outside in. */
	paths: string[][];
	/** True where it may read the whole item. */
	whole: boolean;
	/** True where it reads other nodes, which may say something else in each run of the agent. */
	otherNodes: boolean;
}

const STEP = String.raw`\s*(?:\??\.\s*[A-Za-z_$][\w$]*|(?:\?\.)?\s*\[\s*(?:'[^']*'|"[^"]*"|\d+)\s*\])`;
const JSON_READ = new RegExp(String.raw`\$json\b((?:${STEP})*)(\s*\()?`, 'g');
const NAME = /\??\.\s*([A-Za-z_$][\w$]*)|\[\s*(?:'([^']*)'|"([^"]*)"|(\d+))\s*\]/g;
const WHOLE_ITEM = /\$input\b/;
const OTHER_NODES = /\$\(|\$node\b|\$items\b/;

/** What this node and n8n add to the item; some of it is another one on each try. */
const ADDED = new Set(['idempotencyKey', 'runId', 'durable', 'tool', 'toolCallId']);

const stringsIn = (value: unknown): string[] => {
	if (typeof value === 'string') return [value];
	if (typeof value !== 'object' || value === null) return [];
	return Object.values(value).flatMap(stringsIn);
};

const namesOf = (path: string) =>
	[...path.matchAll(NAME)].map(([, ...names]) => names.find((name) => name !== undefined) ?? '');

/** Finds what the expressions and the code in a node's parameters read. */
export function itemReads(parameters: unknown): ItemReads {
	const texts = stringsIn(parameters);
	const paths = texts.flatMap((text) =>
		[...text.matchAll(JSON_READ)].map(([, path, call]) => {
			const names = namesOf(path ?? '');
			// `$json.lines.map(`: what is called is no member.
			return call === undefined ? names : names.slice(0, -1);
		}),
	);
	return {
		paths: paths.filter(([first]) => first !== undefined && !ADDED.has(first)),
		whole: texts.some((text) => WHOLE_ITEM.test(text)) || paths.some((path) => path.length === 0),
		otherNodes: texts.some((text) => OTHER_NODES.test(text)),
	};
}

/** The value at the end of a path, or of as much of it as there is beyond the first name. */
function valueAt(item: Members, [first, ...inner]: string[]): unknown {
	let value = item[first ?? ''];
	for (const name of inner) {
		if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) break;
		value = (value as Members)[name];
	}
	return value;
}

/** What the tool will read of this item: path → value; undefined where it reads nothing. */
export function valuesRead(reads: ItemReads, item: Members): Members | undefined {
	const own = Object.fromEntries(Object.entries(item).filter(([name]) => !ADDED.has(name)));
	if (reads.whole) return withoutDurable(own);
	if (reads.paths.length === 0) return undefined;
	const values = reads.paths.map((path) => [path.join('.'), valueAt(own, path)] as const);
	return withoutDurable(Object.fromEntries(values.filter(([, value]) => value !== undefined)));
}
