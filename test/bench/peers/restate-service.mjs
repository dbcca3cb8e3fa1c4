/** The service that Restate's server calls: a handler of ten steps. */
import * as restate from '@restatedev/restate-sdk';

const text = 'x'.repeat(1_000);

await restate
	.endpoint()
	.setLogger(() => {})
	.bind(
		restate.service({
			name: 'bench',
			handlers: {
				run: async (context) => {
					for (let at = 0; at < 10; at++) await context.run(`step-${at}`, async () => text);
				},
			},
		}),
	)
	.listen(Number(process.argv[2]));
