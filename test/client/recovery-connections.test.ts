import { login, makeTenant, startTestApp } from '@symbolon/testing/app'
import { holdOrganization, untilWaiting } from '@symbolon/testing/database'
import { makeClientWallet, recoverySteps, split } from '@symbolon/testing/wallets'
import { expect, test } from 'vitest'

/** The connections of an app under test. */
const connectionsMax = 6

test('completions that all lose their process are answered, though they hold every connection', async () => {
  const app = await startTestApp()
  const second = await startTestApp({ installation: app })
  const tenant = await makeTenant(app, { signingMode: 'client' })
  const verified = []
  for (let i = 0; i < connectionsMax; i++) {
    const user = await login(app, tenant)
    const { key } = await makeClientWallet(app, user)
    const steps = recoverySteps(app, user)
    verified.push({ id: (await steps.verified()).id, shares: split(key.secret), steps })
  }
  const release = await holdOrganization(second, tenant.id)
  const completions = verified.map(({ id, shares, steps }) => steps.complete(id, shares))
  await untilWaiting(second, connectionsMax)
  await release('update recovery_processes set attempt_id = null')
  const answers = await Promise.all(completions)
  expect(answers.map(({ error }) => error?.code)).toEqual(verified.map(() => 'process_state'))
  await second.stop()
  await app.stop()
})
