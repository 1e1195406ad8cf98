import { randomUUID } from 'node:crypto'
import { auditEventTypes } from '@symbolon/api'
import { makeTenant, startTestApp, type TestApp } from '@symbolon/testing/app'
import { afterAll, beforeAll, expect, test } from 'vitest'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

/** The refused signatures of an organization, oldest first. */
const refusals = (id: string) => app.sql`
  select success, error_code, actor_type, wallet_id from audit_events
  where organization_id = ${id} and type = ${auditEventTypes.indexOf('wallet.sign_refused')} order by n`

const signs = (sk: string, count: number) =>
  Promise.all(
    Array.from({ length: count }, () =>
      app.call('POST', '/v1/s2s/sign', {
        sk,
        json: { wallet_id: randomUUID(), type: 'message', message: 'hi' },
      }),
    ),
  )

test('a signature that is asked with a key which may only read is a refusal in the log', async () => {
  const { id, readKey } = await makeTenant(app)
  const [answer] = await signs(readKey, 1)
  expect([answer?.status, answer?.error?.code]).toEqual([403, 'insufficient_scope'])
  await app.call('POST', `/v1/s2s/wallets/${randomUUID()}/archive`, { sk: readKey })
  expect(await refusals(id)).toEqual([
    { success: false, error_code: 'insufficient_scope', actor_type: 'api_key', wallet_id: null },
  ])
})

test('such refusals are as many as the key has permits', async () => {
  const { id, readKey } = await makeTenant(app)
  const beganAt = performance.now()
  const answers = await signs(readKey, 150)
  expect(answers.every(({ status }) => status === 403)).toBe(true)
  const seconds = (performance.now() - beganAt) / 1_000
  const { length } = await refusals(id)
  expect(length).toBeGreaterThanOrEqual(60)
  // Sixty at once and thirty a second. On a machine where the calls take longer than that, all of them have a permit.
  expect(length).toBeLessThanOrEqual(Math.min(150, 61 + 30 * seconds))
})
