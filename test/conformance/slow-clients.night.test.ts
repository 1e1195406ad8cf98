import type { Socket } from 'node:net'
import { startTestApp, type TestApp } from '@symbolon/testing/app'
import { openSocket } from '@symbolon/testing/http'
import { afterAll, beforeAll, expect, test } from 'vitest'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

test('ten thousand slow clients are all sent away, and the others are served meanwhile', async () => {
  const sockets: Socket[] = []
  let ended = 0
  for (let i = 0; i < 10_000; i += 250) {
    const opened = await Promise.all(Array.from({ length: 250 }, () => openSocket(app.url)))
    for (const socket of opened) {
      socket.on('error', () => {})
      socket.once('close', () => ended++)
      socket.resume()
      socket.write('GET /v1/health HTTP/1.1\r\nHost: x\r\nX-A')
    }
    sockets.push(...opened)
  }
  let slowestMs = 0
  const deadline = performance.now() + 20_000
  while (ended < sockets.length && performance.now() < deadline) {
    const began = performance.now()
    expect((await app.call('GET', '/v1/health')).status).toBe(200)
    slowestMs = Math.max(slowestMs, performance.now() - began)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  expect(ended).toBe(10_000)
  expect(slowestMs).toBeLessThan(2_000)
})
