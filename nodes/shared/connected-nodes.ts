import type { INode } from 'n8n-workflow';

/** Present in n8n's contexts since engine requests exist, but not in its published types. */
export interface ConnectedNodes {
	/** Nodes connected to an input of this one, without disabled ones. */
	getConnectedNodes(connectionType: string): INode[];
}
