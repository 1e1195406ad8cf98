import cluster, { type Worker } from 'node:cluster'
import { sendToPrimary, sendToWorker } from './worker-messages.ts'

const answerTimeMs = 1_000

type Message =
  | { kind: 'metrics: ask'; id: number }
  | { kind: 'metrics: report'; id: number }
  | { kind: 'metrics: reported'; id: number; text: string }
  | { kind: 'metrics: all'; id: number; texts: string[] }

const isMessage = (value: unknown): value is Message =>
  typeof value === 'object' &&
  value !== null &&
  'kind' in value &&
  typeof value.kind === 'string' &&
  value.kind.startsWith('metrics: ')

/** The primary's part: when a worker asks, every worker reports, and the asker gets the reports of the next second. */
export function relayMetrics(): void {
  let lastId = 0
  const open = new Map<number, { texts: string[]; missing: number; finish: () => void }>()

  function ask(asker: Worker, askedId: number) {
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected() === true)
    const id = ++lastId
    const texts: string[] = []
    const finish = () => {
      clearTimeout(timer)
      open.delete(id)
      sendToWorker(asker, { kind: 'metrics: all', id: askedId, texts } satisfies Message)
    }
    const timer = setTimeout(finish, answerTimeMs)
    open.set(id, { texts, missing: workers.length, finish })
    for (const worker of workers) sendToWorker(worker, { kind: 'metrics: report', id } satisfies Message)
  }

  cluster.on('message', (worker: Worker, message: unknown) => {
    if (!isMessage(message)) return
    if (message.kind === 'metrics: ask') ask(worker, message.id)
    if (message.kind !== 'metrics: reported') return
    const round = open.get(message.id)
    if (round === undefined) return
    round.texts.push(message.text)
    round.missing -= 1
    if (round.missing === 0) round.finish()
  })
}

/** A worker's part: reports its own metrics when asked, and asks for everybody's. Alone, it has only its own. */
export function metricsOfAll(own: () => Promise<string>): () => Promise<string[]> {
  if (!cluster.isWorker) return async () => [await own()]
  let lastId = 0
  const waiting = new Map<number, (texts: string[]) => void>()
  const send = (message: Message) => sendToPrimary(message)

  process.on('message', (message: unknown) => {
    if (!isMessage(message)) return
    if (message.kind === 'metrics: report') {
      own().then(
        (text) => send({ kind: 'metrics: reported', id: message.id, text }),
        () => send({ kind: 'metrics: reported', id: message.id, text: '' }),
      )
    }
    if (message.kind !== 'metrics: all') return
    waiting.get(message.id)?.(message.texts)
    waiting.delete(message.id)
  })

  return () =>
    new Promise((resolve) => {
      const id = ++lastId
      waiting.set(id, resolve)
      send({ kind: 'metrics: ask', id })
    })
}
