import cluster, { type Worker } from 'node:cluster'

// Longer than a worker takes to come up where none is left; what is older, the limit of an attempt has freed.
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
 * The primary's part: once a worker has ended, which only the system can say for certain, all others hear of it, and so do
 * those that begin to serve within a minute.
 */
export function relayDeaths(): void {
  const named = new Map<number, string>()
  const dead = new Set<string>()
  const tell = (worker: Worker | undefined, processId: string) => {
    if (worker?.isConnected() === true) worker.send({ kind: 'process: died', processId } satisfies Message)
  }

  cluster.on('message', (worker: Worker, message: unknown) => {
    if (isMessage(message) && message.kind === 'process: is') named.set(worker.id, message.processId)
  })
  cluster.on('listening', (worker: Worker) => {
    for (const processId of dead) tell(worker, processId)
  })
  cluster.on('exit', ({ id }: Worker) => {
    const processId = named.get(id)
    if (processId === undefined) return
    named.delete(id)
    dead.add(processId)
    setTimeout(() => dead.delete(processId), rememberedMs).unref()
    for (const worker of Object.values(cluster.workers ?? {})) tell(worker, processId)
  })
}

/** A worker's part: says under which id it works, and hears of the others' ends. Alone, it hears of none. */
export function hearOfDeaths(processId: string, onDeath: (processId: string) => void): void {
  if (!cluster.isWorker) return
  process.on('message', (message: unknown) => {
    if (isMessage(message) && message.kind === 'process: died') onDeath(message.processId)
  })
  process.send?.({ kind: 'process: is', processId } satisfies Message)
}
