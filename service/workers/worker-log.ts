/** The part of the logger that workers use. */
export interface WorkerLog {
	info(members: object, message: string): void;
	warn(members: object, message: string): void;
	error(members: object, message: string): void;
}
