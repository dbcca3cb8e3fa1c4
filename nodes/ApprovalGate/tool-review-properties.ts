import type { INodeProperties } from 'n8n-workflow';

/** For fields that the human-review variant of this node does not have. */
export const notInReview: INodeProperties['displayOptions'] = { hide: { '@tool': [true] } };

/** The title of the human-review variant, which asks about the tool by itself. */
export const reviewTitle: INodeProperties = {
	displayName: 'Title',
	name: 'title',
	type: 'string',
	default: '',
	placeholder: 'e.g. Send this mail?',
	displayOptions: { show: { '@tool': [true] } },
	description:
		'The question, in one line. Empty: it names the tool. The tool and its arguments are always shown, and they identify the gate: the same call in the same run is decided once.',
};
