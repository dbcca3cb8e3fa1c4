import * as n8nWorkflow from 'n8n-workflow';
import { UserError } from 'n8n-workflow';

/**
 * Refuses an n8n whose core is older than 2.39: on resume it forwards output 0 only, so an approval
 * would never leave this node.
 *
 * Nodes are not told n8n's version. `checkNodesApiVersion` appeared in n8n-workflow 2.39.0, the
 * release that n8n-core 2.39.0, the first to forward every output, is pinned to.
 * @param library n8n's own n8n-workflow
 */
export function refuseOldN8n(library: object = n8nWorkflow): void {
	if (!('checkNodesApiVersion' in library)) {
		throw new UserError(
			'Approval Gate needs n8n core 2.39 or newer: older versions drop the output "Approved" after a wait. Update n8n.',
		);
	}
}
