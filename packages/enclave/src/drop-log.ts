import type { EnclaveLog } from './enclave-log.ts'

const everyMs = 1_000

/**
 * Logs dropped connections, which strangers can cause at will: the first of a reason at once, those of the next second in one line with
 * their number (`connections`), and so on. `reason` must be one of few.
 */
export function dropLog(log: EnclaveLog): (reason: string) => void {
  const held = new Map<string, number>()

  function say(reason: string, connections: number): void {
    log('connections dropped', { reason, connections })
    held.set(reason, 0)
    setTimeout(() => sayHeld(reason), everyMs).unref()
  }

  function sayHeld(reason: string): void {
    const connections = held.get(reason) ?? 0
    if (connections === 0) held.delete(reason)
    else say(reason, connections)
  }

  return (reason) => {
    const already = held.get(reason)
    if (already === undefined) say(reason, 1)
    else held.set(reason, already + 1)
  }
}
