import type { Kill } from './killable-journal';

/** The points around a commit, as kill-at.cjs names them. */
export const POINTS = [
	'before-begin',
	'after-begin',
	'between-statements',
	'before-commit',
	'during-commit',
	'after-commit',
	'before-answer',
	'half-answer',
];
/** One more where the journal itself writes the files. */
export const SQLITE_POINTS = [...POINTS, 'during-checkpoint'];

/**
 * Passages that are sure to come: there are many statements to a commit, and on PostgreSQL few to a
 * start.
 */
const MOST_PASSAGES: Record<string, number> = {
	'between-statements': 300,
	migration: 4,
	start: 4,
};
const LONGEST_DELAY_US = 1_500;

export function killAt(point: string, random: () => number): Kill {
	const passage = 1 + Math.floor(random() * (MOST_PASSAGES[point] ?? 40));
	return { point, passage, delay: Math.floor(random() * LONGEST_DELAY_US) };
}
