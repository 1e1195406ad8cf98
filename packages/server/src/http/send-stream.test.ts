import { connect } from 'node:net'
import { testLog } from '@symbolon/testing/database'
import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendStream } from './send-stream.ts'

const chunk = 'x'.repeat(1_000_000)
const chunksMax = 100

/** The record of the streams below. */
const seen = { made: 0, ended: 0 }
const log = testLog()
const app = Fastify()
let port: number

async function* chunks(failsAt: number): AsyncGenerator<string> {
  try {
    for (let i = 0; i < chunksMax; i++) {
      if (i === failsAt) throw new Error('The log is broken.')
      seen.made++
      yield chunk
    }
  } finally {
    seen.ended++
  }
}

beforeAll(async () => {
  app.get<{ Querystring: { fails?: string } }>('/', (request, reply) =>
    sendStream({ requestId: 'r', startedAt: 0 }, reply, {
      contentType: 'application/x-ndjson',
      chunks: chunks(Number(request.query.fails ?? -1)),
      log,
    }),
  )
  port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
})
afterAll(() => app.close())

const open = (path = '/') => {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)
  return socket
}
const untilEnded = async (count: number) => {
  await expect.poll(() => seen.ended, { interval: 10 }).toBeGreaterThanOrEqual(count)
  return seen.ended
}
/** Resolves once chunks were made and no more are. */
const untilStill = async () => {
  let before = 0
  await expect
    .poll(
      () => {
        const isStill = before > 0 && seen.made === before
        before = seen.made
        return isStill
      },
      { interval: 300 },
    )
    .toBe(true)
}

test('nothing is made that its reader does not take, and all of it arrives in the end', async () => {
  seen.made = 0
  const socket = open()
  socket.pause()
  await untilStill()
  // The kernel's buffers and a few chunks on the way.
  expect(seen.made).toBeLessThan(chunksMax / 2)
  let received = 0
  await new Promise<void>((resolve) => {
    socket.on('data', (data) => {
      received += data.length
      if (data.subarray(-5).toString() === '0\r\n\r\n') resolve()
    })
    socket.resume()
  })
  socket.destroy()
  expect(received).toBeGreaterThan(chunksMax * chunk.length)
})

test('a client that hangs up ends the producer of its answer', async () => {
  const before = seen.ended
  seen.made = 0
  const socket = open()
  socket.once('data', () => socket.destroy())
  expect(await untilEnded(before + 1)).toBe(before + 1)
  expect(seen.made).toBeLessThan(chunksMax)
})

test('a question for the headers alone makes no more than the first part', async () => {
  const before = seen.ended
  seen.made = 0
  const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'HEAD' })
  expect(answer.headers.get('content-type')).toBe('application/x-ndjson')
  expect([seen.made, await untilEnded(before + 1)]).toEqual([1, before + 1])
})

test('a stream that fails halfway breaks the connection: a part is never taken for the whole', async () => {
  await expect(fetch(`http://127.0.0.1:${port}/?fails=3`).then((answer) => answer.text())).rejects.toThrow()
  expect(log.lines.join()).toContain('a stream broke off')
})

test('a stream that fails before its first part is answered as any failure', async () => {
  expect((await fetch(`http://127.0.0.1:${port}/?fails=0`)).status).toBe(500)
})
