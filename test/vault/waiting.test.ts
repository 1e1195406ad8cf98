import {
  forgetRates,
  login,
  mailedCode,
  makeTenant,
  makeWallet,
  startClock,
  startTestApp,
  stopClock,
  type TestApp,
} from '@symbolon/testing/app'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { inMode, memoryNotes, newDevice } from './vault-fixture.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())
afterEach(async () => {
  await startClock(app)
  await forgetRates(app)
})

const curve = 'secp256k1' as const

test.each([
  ['recovery.run', 'client', 'recovery_delayed'],
  ['key.export', 'tee', 'export_delayed'],
] as const)(
  '%s on a new device tells until when it waits, and goes on with the same code then',
  async (method, mode, code) => {
    const tenant = inMode(await makeTenant(app, { signingMode: mode }), mode)
    const user = await login(app, tenant)
    if (mode === 'client') await newDevice(app, tenant, user).call('wallet.create', { curve })
    else await makeWallet(app, user)
    await app.sql`update organizations set high_risk_delay_seconds = 1200 where id = ${tenant.id}`

    const notes = memoryNotes()
    const first = newDevice(app, tenant, user, { notes })
    expect(await first.outcome(method, { curve })).toBe(code)
    const [readyAt = ''] = first.person.waits
    expect(Date.parse(readyAt)).toBeGreaterThan(Date.now() + 1_000_000)
    const mailed = await mailedCode(app, user.email, 1)

    // The page was loaded anew: the process is remembered, the code is typed again, and no other one is mailed.
    const later = newDevice(app, tenant, user, { notes })
    later.person.code = async () => mailed
    expect(await later.outcome(method, { curve })).toBe(code)
    await stopClock(app, Date.parse(readyAt))
    expect(await later.outcome(method, { curve })).toMatchObject(
      mode === 'client' ? { polynomial_version: 2 } : { is_revealed: true },
    )
    expect(later.calls.filter((call) => call.endsWith('initiate'))).toEqual([])
  },
)
