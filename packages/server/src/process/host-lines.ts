import cluster, { type Worker } from 'node:cluster'
import { sendToPrimary } from './worker-messages.ts'

/**
 * A line of the log that concerns the host, not one of its processes. `component` and `isUp`: a component's loss or return; otherwise it
 * is said once per start.
 */
export type HostLine = { line: string; component?: string; isUp?: boolean }

type Message = HostLine & { kind: 'host line' }

const isMessage = (value: unknown): value is Message =>
  typeof value === 'object' &&
  value !== null &&
  'kind' in value &&
  value.kind === 'host line' &&
  'line' in value &&
  typeof value.line === 'string'

/** The primary's part: of what all workers see, it writes the first loss, the last return, and one start. */
export function relayHostLines(write: (line: string) => void): void {
  const seenBy = new Map<string, Set<number>>()
  let hasStarted = false

  cluster.on('message', ({ id }: Worker, message: unknown) => {
    if (!isMessage(message)) return
    const { component, isUp, line } = message
    if (component === undefined) {
      if (!hasStarted) write(line)
      hasStarted = true
      return
    }
    const workers = seenBy.get(component) ?? new Set()
    seenBy.set(component, workers)
    const before = workers.size
    if (isUp === true) workers.delete(id)
    else workers.add(id)
    if ((before === 0) !== (workers.size === 0)) write(line)
  })
  cluster.on('exit', ({ id }: Worker) => {
    for (const workers of seenBy.values()) workers.delete(id)
  })
}

/** A process's part: hands a line to the primary, or writes it where there is none. */
export function sayForHost(line: HostLine, write: (line: string) => void): void {
  if (cluster.isWorker) sendToPrimary({ ...line, kind: 'host line' } satisfies Message)
  else write(line.line)
}
