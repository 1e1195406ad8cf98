import { login, makeTenant, startTestApp } from '@symbolon/testing/app'
import { holdOrganization } from '@symbolon/testing/database'
import { makeClientWallet, recoverySteps, split } from '@symbolon/testing/wallets'
import { expect, test, vi } from 'vitest'

/** The connections of an app under test. */
const connectionsMax = 6

test('completions that all lose their process are answered, though they hold every connection', async () => {
  const app = await startTestApp()
  const second = await startTestApp({ installation: app })
  const tenant = await makeTenant(app, { signingMode: 'client' })
  const verified = await Promise.all(
    Array.from({ length: connectionsMax }, async () => {
      const user = await login(app, tenant)
      const { key } = await makeClientWallet(app, user)
      const steps = recoverySteps(app, user)
      return { id: (await steps.verified()).id, key, steps }
    }),
  )
  const release = await holdOrganization(second, tenant.id)
  const completions = verified.map(({ id, key, steps }) => steps.complete(id, split(key.secret)))
  await vi.waitUntil(async () => {
    const [row] = await second.sql<{ count: number }[]>`
      select count(*)::integer as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    return row?.count === connectionsMax
  })
  await release('update recovery_processes set attempt_id = null')
  const answers = await Promise.all(completions)
  expect(answers.map(({ error }) => error?.code)).toEqual(verified.map(() => 'process_state'))
  await second.stop()
  await app.stop()
})
