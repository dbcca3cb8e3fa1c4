import type {
	FieldType,
	ILocalLoadOptionsFunctions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';
import { CALLED_TRIGGER } from '../../shared/handed-down';

interface Declared {
	name: string;
	/** Missing where the trigger takes any. */
	type?: FieldType;
}

type Trigger = NonNullable<
	Awaited<ReturnType<ILocalLoadOptionsFunctions['getWorkflowNodeContext']>>
>;

const typeOf = (value: unknown): FieldType | undefined => {
	if (value === null) return undefined;
	if (Array.isArray(value)) return 'array';
	return typeof value as 'string' | 'number' | 'boolean' | 'object';
};

function fromExample(text: string): Declared[] | undefined {
	try {
		const example = JSON.parse(text) as object;
		return Object.entries(example).map(([name, value]) => {
			const type = typeOf(value);
			return { name, ...(type && { type }) };
		});
	} catch {
		return undefined;
	}
}

/** The inputs that a trigger declares; undefined where it accepts all data, or its example is no JSON. */
function declaredBy(trigger: Trigger): Declared[] | undefined {
	switch (trigger.getNodeParameter('inputSource', 0, 'passthrough')) {
		case 'workflowInputs': {
			const values = trigger.getNodeParameter('workflowInputs.values', 0, []) as Array<{
				name: string;
				type?: FieldType | 'any';
			}>;
			return values.map(({ name, type }) => ({ name, ...(type && type !== 'any' && { type }) }));
		}
		case 'jsonExample':
			return fromExample(String(trigger.getNodeParameter('jsonExample', 0, '')));
		default:
			return undefined;
	}
}

const toField = ({ name, type }: Declared): ResourceMapperField => ({
	id: name,
	displayName: name,
	required: false,
	defaultMatch: false,
	display: true,
	canBeUsedToMatch: true,
	...(type && { type }),
});

/**
 * The inputs of the chosen workflow, for the editor: those that its trigger declares, without
 * `durable`, which this node fills in itself.
 */
export async function loadSubWorkflowInputs(
	this: ILocalLoadOptionsFunctions,
): Promise<ResourceMapperFields> {
	const trigger = await this.getWorkflowNodeContext(CALLED_TRIGGER);
	if (!trigger) {
		return {
			fields: [],
			emptyFieldsNotice:
				'That workflow has no trigger "When Executed by Another Workflow": add one, or choose another workflow.',
		};
	}
	const declared = declaredBy(trigger);
	const fields = (declared ?? []).filter(({ name }) => name !== 'durable').map(toField);
	return {
		fields,
		emptyFieldsNotice: declared
			? 'That workflow declares no inputs of its own.'
			: 'That workflow accepts all data: set Pass Inputs As to JSON.',
	};
}
