/**
 * n8n's resume URL answers 409 both while an execution runs (try again) and when it has finished
 * (give up). The two differ in nothing but their text, as of n8n 2.40: "… is running already.",
 * "… has finished already.", "… has finished with error.". Read as running when in doubt, since
 * trying again is harmless.
 */
export function conflictKind(body: string): 'running' | 'finished' {
	return body.includes('has finished') ? 'finished' : 'running';
}
