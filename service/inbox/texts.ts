const MOMENT = 'less than a minute';

/** What the pages say besides the sentences about gates. English is the one language so far. */
export const TEXTS = {
	product: 'Durable Journal',
	inbox: 'Inbox',
	waiting: 'Waiting for a decision',
	waitingShort: 'Waiting',
	left: (time: string) => `${time} left`,
	ago: (time: string) => (time === MOMENT ? 'just now' : `${time} ago`),
	details: 'Details',
	about: 'About this request',
	run: 'Run',
	gate: 'Gate',
	opened: 'Asked',
	approvers: 'Who may decide',
	comment: 'Comment (optional)',
	commentDoubt: 'Result or comment (optional)',
	decideAs: (name: string) => `You decide as ${name}.`,
	decideByLink: 'Whoever holds this link decides. Do not pass it on.',
	showsOnly:
		'This link only shows the request. Decide with the button in the chat, or in the inbox.',
	doubtExplained:
		'This step was started, and nobody knows whether its effect happened. Look in the other system, then answer.',
	tooLate: 'Your answer came too late and changed nothing. This decision stands:',
	commentBy: 'Comment',
	byDeadline: 'Deadline',
	openTab: 'Open',
	closedTab: 'Decided',
	nothingOpen: 'Nothing waits for you',
	nothingOpenHint: 'New requests appear here as soon as a workflow asks.',
	nothingClosed: 'Nothing was decided yet',
	older: 'Older',
	newest: 'Newest',
	back: 'All requests',
	login: 'Log in',
	loginHint: 'Decisions are kept with your name. The admin key is JOURNAL_ADMIN_KEY.',
	name: 'Your name',
	adminKey: 'Admin key',
	logout: 'Log out',
	loggedInAs: (name: string) => `Logged in as ${name}`,
	wrongKey: 'This is not the admin key.',
	nameMissing: 'Enter your name: it is kept with your decisions.',
	tooManyTries: 'Too many wrong keys. Wait a minute.',
	notices: {
		unknown: {
			title: 'This link is not valid',
			text: 'It was altered, is incomplete, or belongs to a request that was erased. Open the link from the original message once more.',
		},
		expired: {
			title: 'This link has expired',
			text: 'The request it belonged to was closed long ago. Nothing was changed.',
		},
		showsOnly: {
			title: 'This link only shows',
			text: 'Many people can see it, so it cannot decide. Use the button in the chat, or the inbox. Nothing was changed.',
		},
		crossSite: {
			title: 'This form came from another site',
			text: 'Nothing was changed. Open the inbox and decide there.',
		},
		badForm: {
			title: 'This form could not be read',
			text: 'Nothing was changed. Go back, load the page again and repeat your answer.',
		},
		missing: { title: 'There is no such page', text: 'Check the address.' },
		busy: {
			title: 'The journal cannot store your answer now',
			text: 'Nothing was changed. Wait a moment, then send it again.',
		},
		failed: {
			title: 'The journal failed',
			text: 'Load the page again to see whether your answer was recorded.',
		},
	},
} as const;

export type Notice = keyof typeof TEXTS.notices;

/** E.g. `2 d 4 h`, `35 min`, `less than a minute`. */
export function duration(ms: number): string {
	const minutes = Math.floor(ms / 60_000);
	if (minutes < 1) return MOMENT;
	if (minutes < 60) return `${minutes} min`;
	const hours = Math.floor(minutes / 60);
	if (hours < 48) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
	return hours % 24 === 0 ? `${hours / 24} d` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}
