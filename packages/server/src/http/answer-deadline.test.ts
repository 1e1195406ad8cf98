import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { afterEach, expect, test, vi } from 'vitest'
import { answerDeadline } from './answer-deadline.ts'

const request = () => ({ raw: { complete: true, destroyed: false } }) as FastifyRequest
const reply = { raw: { headersSent: false } } as FastifyReply
afterEach(() => void vi.useRealTimers())

test('a request is given up after its own limit, neither with the shorter ones nor after the longer ones', async () => {
  vi.useFakeTimers()
  const late: { request: FastifyRequest; limitMs: number }[] = []
  const deadline = answerDeadline(100, (given, _, limitMs) => late.push({ request: given, limitMs }))
  const [patient, usual, answered] = [request(), request(), request()]
  deadline.begin(patient, reply, 800)
  deadline.begin(usual, reply)
  deadline.begin(answered, reply)
  deadline.end(answered)
  vi.advanceTimersByTime(600)
  expect(late).toEqual([{ request: usual, limitMs: 100 }])
  vi.advanceTimersByTime(600)
  deadline.close()
  expect(late).toEqual([
    { request: usual, limitMs: 100 },
    { request: patient, limitMs: 800 },
  ])
})

test('an answer that has begun is not given up, however long its end takes', async () => {
  vi.useFakeTimers()
  let late = 0
  const deadline = answerDeadline(100, () => late++)
  deadline.begin(request(), { raw: { headersSent: true } } as FastifyReply)
  vi.advanceTimersByTime(60_000)
  deadline.close()
  expect(late).toBe(0)
})

test('a caller that hangs up before its body is read counts as no failure', async () => {
  const late: string[] = []
  const deadline = answerDeadline(200, (given) => late.push(given.url))
  const app = fastify()
  let begun = 0
  app.addHook('onRequest', async (given, reply) => {
    deadline.begin(given, reply)
    begun++
    // As long as an authentication takes that waits for the database.
    await sleep(given.url === '/slow' ? 600 : 100)
  })
  for (const at of ['/left', '/slow']) app.post(at, async () => ({}))
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const ask = (at: string) => {
    const socket = connect(port, '127.0.0.1')
    const body = '{}'
    socket.write(
      `POST ${at} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n${body}`,
    )
    return socket
  }
  const left = ask('/left')
  const stays = ask('/slow')
  await expect.poll(() => begun).toBe(2)
  left.destroy()
  // Both began together: what is said of one would have been said of the other by now.
  await expect.poll(() => late).toContain('/slow')
  deadline.close()
  stays.destroy()
  await app.close()
  expect(late).toEqual(['/slow'])
})
