/**
 * The other side of measuring-process.mjs: says that it is ready, then answers each request.
 * @param ready what to tell the starter
 * @param {(request) => Promise<unknown>} answer
 */
export function answerRequests(ready, answer) {
	process.on('message', (request) => {
		answer(request).then(
			(value) => process.send(value),
			(error) => {
				console.error(error);
				process.exit(1);
			},
		);
	});
	process.once('SIGTERM', () => process.exit(0));
	process.once('disconnect', () => process.exit(0));
	process.send(ready);
}
