/** Random histories against the model, thousands of them. */
import { checkHistories } from '../model/histories';
import { seenAnswers } from '../model/operation';
import { rounds, SEED, TEST_TIMEOUT_MS } from './rounds';

const HISTORIES_PER_ROUND = 20;

test(
	'the journal does what the model says',
	async () => {
		let histories = 0;
		const round = async (index: number) => {
			await checkHistories({ seed: SEED + index, numRuns: HISTORIES_PER_ROUND });
			histories += HISTORIES_PER_ROUND;
		};
		const answers = () => [...seenAnswers.values()].reduce((sum, count) => sum + count, 0);
		await rounds(
			'model',
			Infinity,
			round,
			() => `${histories} histories, ${answers()} answers checked, ${seenAnswers.size} kinds`,
		);
	},
	TEST_TIMEOUT_MS,
);
