/** SQL of looks: claims of a step in doubt that may look into the other system, and not act. */
import type { Queries } from './database';
import { AS_JUDGED, type JudgedStep } from './steps';

/** Begins a look, or prolongs it where the token is the one that it has. The step stays in doubt. */
export function beginLook(
	queries: Queries,
	step: JudgedStep,
	look: {
		readonly token: number;
		readonly until: number;
		readonly claimId: string | undefined;
	},
): void {
	queries.send(
		`UPDATE steps SET look_token = ?, look_until = ?, look_claim_id = ? ${AS_JUDGED}`,
		look.token,
		look.until,
		look.claimId ?? null,
		step.id,
		step.fencing_token,
		step.state,
	);
}

/** The look did not find out. The step stays in doubt. */
export function endLook(queries: Queries, step: JudgedStep, errorJson: string): void {
	queries.send(
		`UPDATE steps SET look_until = NULL, look_error_json = ? ${AS_JUDGED}`,
		errorJson,
		step.id,
		step.fencing_token,
		step.state,
	);
}
