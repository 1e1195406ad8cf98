import cluster, { type Worker } from 'node:cluster'
import { sendToPrimary, sendToWorker } from './worker-messages.ts'

// Longer than a worker takes to start where none is left. A key that is older is free by its own time limit.
const rememberedMs = 60_000

type Message = { kind: 'process: is'; processId: string } | { kind: 'process: died'; processId: string }

const isMessage = (value: unknown): value is Message =>
  typeof value === 'object' &&
  value !== null &&
  'kind' in value &&
  (value.kind === 'process: is' || value.kind === 'process: died') &&
  'processId' in value &&
  typeof value.processId === 'string'

/**
 * The primary's part: reports the end of a worker, which only the operating system knows for certain, to all others and to those that
 * begin to serve within a minute.
 */
export function relayDeaths(): void {
  const named = new Map<number, string>()
  const dead = new Set<string>()
  const report = (worker: Worker | undefined, processId: string) =>
    sendToWorker(worker, { kind: 'process: died', processId } satisfies Message)

  cluster.on('message', (worker: Worker, message: unknown) => {
    if (isMessage(message) && message.kind === 'process: is') named.set(worker.id, message.processId)
  })
  cluster.on('listening', (worker: Worker) => {
    for (const processId of dead) report(worker, processId)
  })
  cluster.on('exit', ({ id }: Worker) => {
    const processId = named.get(id)
    if (processId === undefined) return
    named.delete(id)
    dead.add(processId)
    setTimeout(() => dead.delete(processId), rememberedMs).unref()
    for (const worker of Object.values(cluster.workers ?? {})) report(worker, processId)
  })
}

/** A worker's part: names itself to the primary, and calls `onDeath` for each process that ended. Without a cluster it does nothing. */
export function listenForDeaths(processId: string, onDeath: (processId: string) => void): void {
  if (!cluster.isWorker) return
  process.on('message', (message: unknown) => {
    if (isMessage(message) && message.kind === 'process: died') onDeath(message.processId)
  })
  sendToPrimary({ kind: 'process: is', processId } satisfies Message)
}
