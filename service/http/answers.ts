import { Problem } from '../contract/problem';

/** The answers of a route for its schema: what success looks like, and problems for everything else. */
export const answers = <Success>(success: Success) => ({
	200: success,
	'4xx': Problem,
	'5xx': Problem,
});
