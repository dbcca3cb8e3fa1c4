/**
 * After so long a silence a connection is probed, milliseconds: then a host that vanished is noticed
 * within seconds, and no firewall forgets a connection that is idle. The system's own is two hours.
 */
export const KEEP_ALIVE_AFTER_MS = 10_000;
