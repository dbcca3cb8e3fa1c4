/** A real SMTP server on loopback that keeps what it accepted. */
import type { AddressInfo } from 'node:net';
import { simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';

export interface Mail {
	to: string;
	subject: string;
	text: string;
}

export interface MailServer {
	readonly port: number;
	/** Mails with this subject. */
	mails(subject: string): Mail[];
	/** The next mail is taken, but its sender is never told. */
	withholdNext(): void;
	/** The next recipient is refused for now, by SMTP's 450, before there is a mail. */
	refuseNext(): void;
	stop(): Promise<void>;
}

export async function startMailServer(): Promise<MailServer> {
	const mails: Mail[] = [];
	let toWithhold = 0;
	let toRefuse = 0;
	const server = new SMTPServer({
		disabledCommands: ['AUTH', 'STARTTLS'],
		closeTimeout: 100,
		onRcptTo(_address: unknown, _session: unknown, done: (error?: Error) => void) {
			if (toRefuse === 0) return done();
			toRefuse -= 1;
			done(Object.assign(new Error('Mailbox is busy'), { responseCode: 450 }));
		},
		onData(stream: unknown, _session: unknown, done: () => void) {
			void simpleParser(stream).then((mail: any) => {
				mails.push({ to: mail.to.text, subject: mail.subject, text: mail.text.trim() });
				if (toWithhold === 0) return done();
				toWithhold -= 1;
			});
		},
	});
	// A client that is killed resets its connection.
	server.on('error', () => undefined);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		port: (server.server.address() as AddressInfo).port,
		mails: (subject) => mails.filter((mail) => mail.subject === subject),
		withholdNext: () => void (toWithhold += 1),
		refuseNext: () => void (toRefuse += 1),
		stop: () => new Promise((resolve) => server.close(() => resolve())),
	};
}
