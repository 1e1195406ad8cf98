import { renameSync } from 'node:fs'
import { anyAddress, mintSession, signAs, transferRequest } from '@symbolon/testing/agents'
import { liftRates, makeTenant, makeWalletFor, startTestApp, type TestApp } from '@symbolon/testing/app'
import { restartEnclave } from '@symbolon/testing/enclave'
import { afterAll, beforeAll, expect, test } from 'vitest'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
  await liftRates(app)
})
afterAll(() => app?.stop())

const sessionsCount = 40

test('while the enclave is away, many revocations are answered side by side; it learns of all once it is back', async () => {
  const tenant = await makeTenant(app)
  const wallet = await makeWalletFor(app, tenant)
  const sessions = []
  for (let i = 0; i < sessionsCount; i++) sessions.push(await mintSession(app, tenant, wallet.id))
  await app.sql`create table kept as select id, status, grant_sealed, revoked_at from agent_sessions`
  const { ringPath } = app.enclaveProcess
  renameSync(ringPath, `${ringPath}.away`)
  await restartEnclave(app.enclaveProcess)
  await expect.poll(async () => (await app.call('GET', '/v1/ready')).status, { timeout: 10_000 }).toBe(503)

  const startedAt = performance.now()
  const answers = await Promise.all(
    sessions.map(({ id }) =>
      app.call('POST', `/v1/orgs/${tenant.id}/agent-sessions/${id}/revoke`, { sk: tenant.sk }),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array(sessionsCount).fill(200))
  // One after the other, each would wait a second for the enclave.
  expect(performance.now() - startedAt).toBeLessThan(sessionsCount * 250)
  const waiting = async () => (await app.sql`select from enclave_notes`).length
  expect(await waiting()).toBe(sessionsCount)

  renameSync(`${ringPath}.away`, ringPath)
  await expect.poll(waiting, { timeout: 20_000 }).toBe(0)
  // The database is set back: what the enclave was told holds.
  await app.sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`
      update agent_sessions s set status = k.status, grant_sealed = k.grant_sealed, revoked_at = k.revoked_at
      from kept k where k.id = s.id`
  })
  for (const { token } of sessions.slice(0, 3)) {
    const { error } = await signAs(app, token, transferRequest(anyAddress(), 1n))
    expect([error?.code, error?.details]).toEqual(['state_rolled_back', { what: 'session' }])
  }
})
