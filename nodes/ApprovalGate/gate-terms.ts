import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import type { Channel, OpenGateRequest } from '../../service/contract/gates';
import { deadlineOf, durationOf, type DeadlineParameters } from './deadline';
import { editableOf } from './editing';
import { peopleOf } from './people';
import { remindersOf } from './reminders';

/** The options of the panel that say who decides, and how. */
export interface TermOptions {
	changesOutput?: boolean;
	editable?: unknown;
	editableSchema?: unknown;
	language?: string;
	offerChanges?: boolean;
	rejection?: 'ends' | 'counts';
	reminders?: unknown;
	requester?: unknown;
	slackChannel?: string;
	telegramChatId?: string | number;
	telegramTopicId?: string | number;
	mailTo?: string;
}

type Terms = Omit<
	OpenGateRequest,
	'runId' | 'gate' | 'slot' | 'input' | 'title' | 'message' | 'meta'
>;

/**
 * Who is asked and by which way, who may decide, until when, and what they may change.
 * @throws UserError naming the field that cannot work
 */
export function gateTerms(context: IExecuteFunctions, options: TermOptions): Terms {
	const approvers = peopleOf(context.getNodeParameter('approvers', 0, {}), 'Approvers');
	const [requester] = peopleOf(options.requester, 'Requester');
	const quorum = Number(context.getNodeParameter('quorum', 0, 1));
	const reminders = remindersOf(options.reminders);
	const editable = editableOf(options.editable, options.editableSchema);
	const { language } = options;
	return {
		channels: channels(context, options),
		...(approvers.length > 0 && { approvers }),
		...(quorum !== 1 && { quorum }),
		...(options.rejection === 'counts' && { rejection: 'counts' }),
		...(requester && { requester }),
		...(editable && { editable }),
		...((options.offerChanges || options.changesOutput) && { offerChanges: true }),
		...((language === 'en' || language === 'es') && { language }),
		...(reminders.length > 0 && { reminders }),
		...deadline(context),
	};
}

function deadline(
	context: IExecuteFunctions,
): Pick<OpenGateRequest, 'deadline' | 'onDeadline' | 'escalateTo'> {
	const read = (name: string) => context.getNodeParameter(name, 0, '') as IDataObject | string;
	const until = deadlineOf({
		deadlineType: read('deadlineType') as DeadlineParameters['deadlineType'],
		amount: read('deadlineAmount'),
		unit: read('deadlineUnit'),
		time: read('deadlineTime'),
		dateTime: read('deadlineDateTime'),
		timeZone: String(read('deadlineTimeZone')).trim() || context.getTimezone(),
	});
	if (!until) return {};
	const onDeadline = read('onDeadline') as OpenGateRequest['onDeadline'];
	if (onDeadline !== 'escalate') return { deadline: until, onDeadline };
	const approvers = peopleOf(context.getNodeParameter('escalateTo', 0, {}), 'Escalate To');
	if (approvers.length === 0) {
		throw new UserError('Escalate To names nobody: add who is asked when the deadline passes.');
	}
	const within = durationOf(Number(read('escalateAmount')), read('escalateUnit'), 'Escalate To');
	const then = read('escalateThen') as NonNullable<OpenGateRequest['escalateTo']>['then'];
	return { deadline: until, onDeadline, escalateTo: { approvers, in: within, then } };
}

function channels(context: IExecuteFunctions, options: TermOptions): Channel[] {
	const chosen = [context.getNodeParameter('channels', 0, []) as unknown].flat();
	const textOf = (value: unknown) => String(value ?? '').trim();
	return chosen.map((type): Channel => {
		switch (type) {
			case 'telegram': {
				const topic = textOf(options.telegramTopicId);
				return placed(type, textOf(options.telegramChatId), topic);
			}
			case 'slack':
				return placed(type, textOf(options.slackChannel));
			case 'email':
				return placed(type, textOf(options.mailTo));
			default:
				// An expression that gives nothing must not become a gate that nobody is told of.
				throw new UserError(
					'The field Channels gives something that is no channel: choose from the list, or correct the expression.',
				);
		}
	});
}

function placed(type: 'telegram' | 'slack' | 'email', to: string, topic = ''): Channel {
	if (topic !== '' && !/^[1-9]\d{0,9}$/.test(topic)) {
		throw new UserError(`The Telegram Topic ID is no number: "${topic}".`);
	}
	if (to === '' && topic === '') return type;
	return { type, ...(to !== '' && { to }), ...(topic !== '' && { threadId: Number(topic) }) };
}
