/**
 * Sends requests at fixed rates, whether or not the ones before were answered, each line over connections of its own; a process of its
 * own. Reads its job from standard input, prints one JSON line.
 */
import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'

/** Requests that leave one every so many ms, with `burst` of them at the start. */
export type PacedLine = {
  path: string
  headers: Record<string, string>
  body: string
  everyMs: number
  burst: number
}
export type PacedJob = { port: number; lines: PacedLine[]; seconds: number }
export type PacedResult = {
  answered: number
  failed: number
  p50Ms: number
  p99Ms: number
  statuses: Record<string, number>
}

const { port, lines, seconds } = JSON.parse(await text(process.stdin)) as PacedJob
const agent = new Agent({ keepAlive: true, maxSockets: 256 })
const latencies: number[] = []
const statuses: Record<string, number> = {}
const open = new Set<Promise<void>>()
const endsAt = performance.now() + seconds * 1000

function send({ path, headers, body }: PacedLine): void {
  const sentAt = performance.now()
  const done = new Promise<void>((resolve) => {
    const end = (status: string) => {
      statuses[status] = (statuses[status] ?? 0) + 1
      latencies.push(performance.now() - sentAt)
      resolve()
    }
    const sent = request(
      {
        port,
        host: '127.0.0.1',
        path,
        method: 'POST',
        agent,
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          ...headers,
        },
      },
      (answer) => {
        answer.resume().once('end', () => end(String(answer.statusCode)))
      },
    )
    sent.once('error', () => end('lost'))
    sent.end(body)
  })
  open.add(done)
  void done.then(() => open.delete(done))
}

function start(line: PacedLine): void {
  for (let i = 0; i < line.burst; i++) send(line)
  const timer = setInterval(() => {
    if (performance.now() < endsAt) send(line)
    else clearInterval(timer)
  }, line.everyMs)
}

for (const line of lines) setTimeout(start, Math.random() * Math.min(line.everyMs, 1_000), line)
await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
await Promise.race([Promise.all(open), new Promise((resolve) => setTimeout(resolve, 10_000))])
latencies.sort((a, b) => a - b)
const at = (share: number) =>
  latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0
const failed = Object.entries(statuses).reduce(
  (sum, [status, count]) => (status === '200' ? sum : sum + count),
  0,
)
process.stdout.write(
  `${JSON.stringify({ answered: latencies.length, failed, p50Ms: at(0.5), p99Ms: at(0.99), statuses })}\n`,
)
process.exit(0)
