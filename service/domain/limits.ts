/** How much the journal takes, in one place. What is refused here has a code of its own on the wire. */

/** Larger data belongs elsewhere, with a reference in the journal. */
export const MAX_BODY_BYTES = 16 * 1024 * 1024;

/**
 * More is a loop that runs away, or work that belongs into several runs: a run is read, erased and
 * pruned as one, and its audit is one chain.
 */
export const MAX_STEPS_PER_RUN = 100_000;

/** Each asks a person; nobody answers more in one piece of work. */
export const MAX_GATES_PER_RUN = 10_000;
