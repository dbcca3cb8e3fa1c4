/** A failure that is explained in one sentence and needs no stack trace. */
export class Explained extends Error {}

/** Runs a tool's main function; explained failures end the process with their sentence and status 1. */
export function main(work) {
	work().catch((error) => {
		console.error(error instanceof Explained ? `\n${error.message}` : error);
		process.exitCode = 1;
	});
}
