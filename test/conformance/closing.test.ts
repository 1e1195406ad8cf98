import { once } from 'node:events'
import { makeTenant, startTestApp, type Tenant, type TestApp } from '@symbolon/testing/app'
import { openSocket, readAnswer } from '@symbolon/testing/http'
import { afterAll, beforeAll, expect, test } from 'vitest'

let app: TestApp
let tenant: Tenant

beforeAll(async () => {
  app = await startTestApp()
  tenant = await makeTenant(app)
})
afterAll(() => app.stop())

test('a process that ends answers the requests under way and then waits for nobody who would send another one', async () => {
  const body = JSON.stringify({ email: 'ada@example.test' })
  const socket = await openSocket(app.url)
  const answer = readAnswer(socket)
  const head = [
    'POST /v1/wallets/auth/email-otp/start HTTP/1.1',
    'Host: x',
    `X-Service-Publishable-Key: ${tenant.pk}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ]
  const begun = once(app.app.http.server, 'request')
  socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 5)}`)
  await begun

  const startedAt = performance.now()
  const closed = app.app.http.close()
  await expect.poll(() => app.app.http.server.listening).toBe(false)
  socket.write(body.slice(5))
  expect((await answer).status).toBe(204)
  await closed
  expect(performance.now() - startedAt).toBeLessThan(3_000)
})
