import cluster, { type Worker } from 'node:cluster'
import type { Beat, BeatTurns } from '../features/processes/process-heartbeat.ts'
import { sendToPrimary, sendToWorker } from './worker-messages.ts'

/** `siblings`: whom the worker beats for; null where another one beats for it. */
type Turn = { kind: 'beats: turn'; siblings: string[] | null }
type Message = Turn | ({ kind: 'beats: beat' } & Beat)

const isMessage = (value: unknown): value is Message =>
  typeof value === 'object' &&
  value !== null &&
  'kind' in value &&
  (value.kind === 'beats: turn' || value.kind === 'beats: beat')

const isNaming = (value: unknown): value is { kind: 'process: is'; processId: string } =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'process: is'

/**
 * The primary's part: the oldest worker that has named itself (`listenForDeaths`) beats for all workers, and the primary passes its beats
 * on to the others. When that worker ends, the primary tells the next one at once.
 */
export function relayBeats(): void {
  const named = new Map<number, string>()
  const share = () => {
    const [leading] = [...named.keys()].sort((a, b) => a - b)
    for (const [id] of named) {
      const siblings = [...named].filter(([other]) => other !== id).map(([, processId]) => processId)
      const turn: Turn = { kind: 'beats: turn', siblings: id === leading ? siblings : null }
      sendToWorker(cluster.workers?.[id], turn)
    }
  }
  cluster.on('message', (worker: Worker, message: unknown) => {
    if (isNaming(message)) {
      named.set(worker.id, message.processId)
      share()
    } else if (isMessage(message) && message.kind === 'beats: beat') {
      for (const id of named.keys()) if (id !== worker.id) sendToWorker(cluster.workers?.[id], message)
    }
  })
  cluster.on('exit', ({ id }: Worker) => {
    if (named.delete(id)) share()
  })
}

/** A worker's part; until the primary says whose turn it is, the worker beats for itself. */
export function clusterBeatTurns(): BeatTurns | undefined {
  if (!cluster.isWorker) return undefined
  let siblings: readonly string[] | undefined = []
  return {
    siblings: () => siblings,
    announce: ({ beaten, due }) => sendToPrimary({ kind: 'beats: beat', beaten, due } satisfies Message),
    listen(onBeat, onTurn) {
      process.on('message', (message: unknown) => {
        if (!isMessage(message)) return
        if (message.kind === 'beats: beat') return onBeat(message)
        siblings = message.siblings ?? undefined
        if (siblings !== undefined) onTurn()
      })
    },
  }
}
