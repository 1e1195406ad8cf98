import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { watchedSockets } from './watched-sockets.ts'

const silenceMs = 1_000
let server: Server
const port = () => (server.address() as AddressInfo).port

beforeAll(async () => {
  // Answers what it is told to, after as many milliseconds; to the rest it never says a word.
  server = createServer((socket: Socket) => {
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      const ms = Number(chunk)
      if (!Number.isNaN(ms)) setTimeout(() => socket.write('answer'), ms)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => server.close())

function conversation(open: ReturnType<typeof watchedSockets>, ...words: string[]) {
  const socket = open({ host: '127.0.0.1', port: port() })
  let failure: unknown
  socket.on('error', (error) => {
    failure = error
  })
  let isGiven = false
  socket.on('data', () => {
    isGiven = true
  })
  for (const word of words) socket.write(word)
  return { socket, failure: () => failure, isGiven: () => isGiven }
}

test('a statement that is left without an answer ends its connection, an idle or slow one does not', async () => {
  const unanswered = conversation(watchedSockets(silenceMs), 'nothing')
  const open = watchedSockets(silenceMs)
  const fine = [conversation(open, '0'), conversation(open, '700')]
  const never = conversation(open)
  await sleep(2_500)
  expect(unanswered.failure()).toMatchObject({ code: 'ETIMEDOUT' })
  expect(unanswered.socket.destroyed).toBe(true)
  for (const { socket, failure, isGiven } of fine) {
    expect([socket.destroyed, failure(), isGiven()]).toEqual([false, undefined, true])
  }
  expect(never.socket.destroyed).toBe(false)

  // One of them is left alone now: the others, which are idle, lead to the same host.
  fine[0]?.socket.write('nothing')
  await sleep(2_000)
  for (const { failure } of [...fine, never]) expect(failure()).toMatchObject({ code: 'ETIMEDOUT' })
})
