import cluster, { type Worker } from 'node:cluster'
import { sendToPrimary, sendToWorker } from './worker-messages.ts'

const answerTimeMs = 1_000

type Message =
  | { kind: 'metrics: report'; id: number }
  | { kind: 'metrics: reported'; id: number; text: string }

const isMessage = (value: unknown): value is Message =>
  typeof value === 'object' &&
  value !== null &&
  'kind' in value &&
  typeof value.kind === 'string' &&
  value.kind.startsWith('metrics: ')

/** The primary's part: asks every worker for its metrics, and resolves with the reports of the next second. */
export function metricsOfWorkers(): () => Promise<string[]> {
  let lastId = 0
  const open = new Map<number, { texts: string[]; missing: number; finish: () => void }>()

  cluster.on('message', (_worker: Worker, message: unknown) => {
    if (!isMessage(message) || message.kind !== 'metrics: reported') return
    const round = open.get(message.id)
    if (round === undefined) return
    round.texts.push(message.text)
    round.missing -= 1
    if (round.missing === 0) round.finish()
  })

  return () =>
    new Promise((resolve) => {
      const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected() === true)
      const id = ++lastId
      const texts: string[] = []
      const finish = () => {
        clearTimeout(timer)
        open.delete(id)
        resolve(texts)
      }
      const timer = setTimeout(finish, answerTimeMs)
      open.set(id, { texts, missing: workers.length, finish })
      for (const worker of workers) sendToWorker(worker, { kind: 'metrics: report', id } satisfies Message)
      if (workers.length === 0) finish()
    })
}

/** A worker's part: reports its own metrics when the primary asks. */
export function reportMetrics(own: () => Promise<string>): void {
  const send = (id: number, text: string) =>
    sendToPrimary({ kind: 'metrics: reported', id, text } satisfies Message)
  process.on('message', (message: unknown) => {
    if (!isMessage(message) || message.kind !== 'metrics: report') return
    own().then(
      (text) => send(message.id, text),
      () => send(message.id, ''),
    )
  })
}
