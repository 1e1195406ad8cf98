/**
 * The load generator, a process of its own: N keep-alive connections, each with one request in flight, over raw sockets,
 * because an HTTP client would cost more than what it measures. Reads its job from standard input, prints one JSON line.
 */
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'

/** With `numbersFrom` each request's `########`, if it has that, becomes 8 hex digits: the next number from there. */
export type LoadJob = {
  port: number
  requests: string[]
  connections: number
  seconds: number
  numbersFrom?: number
}
export type LoadResult = {
  answered: number
  failed: number
  seconds: number
  p50Ms: number
  p99Ms: number
  statuses: Record<string, number>
}

const job = JSON.parse(await text(process.stdin)) as LoadJob
const requests = job.requests.map((request) => Buffer.from(request, 'latin1'))
const latencies: number[] = []
const statuses: Record<string, number> = {}
const places = requests.map((request) => request.indexOf('########'))
let number = job.numbersFrom ?? 0
let next = 0
let failed = 0
let isOver = false

const startedAt = performance.now()
const sockets = await Promise.all(Array.from({ length: job.connections }, open))
await new Promise((resolve) => setTimeout(resolve, job.seconds * 1000))
isOver = true
const seconds = (performance.now() - startedAt) / 1000
for (const socket of sockets) socket.destroy()
latencies.sort((a, b) => a - b)
const at = (share: number) =>
  latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0
const result: LoadResult = {
  answered: latencies.length,
  failed,
  seconds,
  p50Ms: at(0.5),
  p99Ms: at(0.99),
  statuses,
}
process.stdout.write(`${JSON.stringify(result)}\n`)

function nextRequest(): Buffer {
  const at = next++ % requests.length
  const request = requests[at] ?? Buffer.alloc(0)
  const place = places[at] ?? -1
  if (job.numbersFrom === undefined || place < 0) return request
  const numbered = Buffer.from(request)
  numbered.write((number++).toString(16).padStart(8, '0'), place, 'latin1')
  return numbered
}

function open(): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(job.port, '127.0.0.1')
    socket.setNoDelay(true)
    let sentAt = 0
    let received = ''
    const send = () => {
      sentAt = performance.now()
      socket.write(nextRequest())
    }
    socket.once('connect', () => {
      resolve(socket)
      send()
    })
    socket.once('error', reject)
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => {
      received = received === '' ? chunk : received + chunk
      const end = received.indexOf('\r\n\r\n')
      if (end < 0) return
      const length = Number(/content-length: *(\d+)/i.exec(received.slice(0, end))?.[1] ?? 0)
      if (received.length < end + 4 + length || isOver) return
      const status = received.slice(9, 12)
      statuses[status] = (statuses[status] ?? 0) + 1
      if (status !== '200') failed++
      latencies.push(performance.now() - sentAt)
      received = ''
      send()
    })
  })
}
