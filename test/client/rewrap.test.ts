import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { kmsLocal } from '@symbolon/server/testing/adapters'
import type { Enclave } from '@symbolon/server/testing/ports'
import { rewrapShares } from '@symbolon/server/testing/wallets'
import { login, makeTenant, startInstallation, startTestApp, type TestApp } from '@symbolon/testing/app'
import { makeClientWallet, rebuilt, recoverySteps, split } from '@symbolon/testing/wallets'
import { afterAll, beforeAll, expect, test } from 'vitest'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp({ installation: await startInstallation() })
})
afterAll(async () => {
  await app.stop()
  await app.mailServer.close()
  await app.enclaveProcess.stop()
  await app.database.drop()
})

test('after a rotation of both keys every share in force opens without the old ones', async () => {
  const tenant = await makeTenant(app, { signingMode: 'client' })
  const owners = []
  for (let i = 0; i < 4; i++) {
    const user = await login(app, tenant)
    owners.push({ user, steps: recoverySteps(app, user), ...(await makeClientWallet(app, user)) })
  }
  // One of them has shares that are rotated, which nobody rewraps.
  const [first] = owners
  const process = await first?.steps.verified()
  await first?.steps.complete(process?.id ?? '', split(first.key.secret))

  const path = join(app.folder, 'kms.json')
  const ctx = { sql: app.sql, kms: kmsLocal(path), enclave: {} as Enclave, log: app.log }
  for (const purpose of ['provider', 'recovery'] as const) {
    expect((await ctx.kms.rotate(purpose)).version).toBe(2)
    expect(await rewrapShares(ctx, purpose)).toEqual({ version: 2, rewrapped: 4, failed: [] })
    expect(await rewrapShares(ctx, purpose)).toEqual({ version: 2, rewrapped: 0, failed: [] })
  }
  const file = JSON.parse(readFileSync(path, 'utf8')) as { keys: Record<string, { versions: string[] }> }
  for (const purpose of ['provider', 'recovery']) {
    const versions = file.keys[purpose]?.versions ?? []
    expect(versions).toHaveLength(2)
    versions[0] = randomBytes(32).toString('base64')
  }
  writeFileSync(path, JSON.stringify(file), { mode: 0o600 })
  // A process that has never seen the old keys.
  const fresh = await startTestApp({ installation: app })
  try {
    for (const { user, key } of owners) {
      const { data } = await recoverySteps({ ...fresh, mailServer: app.mailServer }, user).verified()
      expect(rebuilt(data['provider_share'], data['recovery_share'])).toEqual(new Uint8Array(key.secret))
    }
  } finally {
    await fresh.stop()
  }
})
