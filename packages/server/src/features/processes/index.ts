/**
 * The processes of an installation: each writes a heartbeat, and what a dead one held is free at once.
 * @module
 */
export { type ProcessHeartbeat, processHeartbeat } from './process-heartbeat.ts'
