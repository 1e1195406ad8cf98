import type { Enclave } from '@symbolon/server/testing/ports'
import {
  enclaveOf,
  forgetRates,
  type Installation,
  login,
  makeTenant,
  makeWallet,
  startInstallation,
  startTestApp,
  type Tenant,
  type TestApp,
} from '@symbolon/testing/app'
import { afterAll, beforeAll, expect, test } from 'vitest'

let installation: Installation
let enclave: Enclave
let app: TestApp
/** What waits in the enclave until the test lets it go, by organization. */
const held = new Map<string, (() => void)[]>()
let isHolding = false

beforeAll(async () => {
  installation = await startInstallation()
  enclave = enclaveOf(installation.enclaveProcess, installation.database.sql)
  const slow: Enclave = {
    ...enclave,
    async sign(input) {
      if (isHolding)
        await new Promise<void>((resolve) => {
          held.set(input.organizationId, [...(held.get(input.organizationId) ?? []), resolve])
        })
      return enclave.sign(input)
    },
  }
  app = await startTestApp({ installation, ports: { enclave: slow } })
})
afterAll(async () => {
  await app?.stop()
  await enclave?.close()
  await installation?.stop()
})

async function signer(): Promise<{ tenant: Tenant; sign: (message: string) => Promise<number> }> {
  const tenant = await makeTenant(app)
  const user = await login(app, tenant)
  const { id } = await makeWallet(app, user)
  const sign = async (message: string) => {
    const json = { wallet_id: id, type: 'message', message }
    return (await app.call('POST', '/v1/s2s/sign', { sk: tenant.sk, json })).status
  }
  return { tenant, sign }
}

test('of an organization beside others, two long signatures are served at once; the others’ go past them', async () => {
  const flood = await signer()
  const other = await signer()
  await forgetRates(app)
  expect(await other.sign('hello')).toBe(200)
  isHolding = true
  const floods = Array.from({ length: 6 }, () => flood.sign('x'.repeat(4_000)))
  await expect.poll(() => held.get(flood.tenant.id)?.length).toBe(2)
  const own = other.sign('hello')
  await expect.poll(() => held.get(other.tenant.id)?.length).toBe(1)
  held.get(other.tenant.id)?.[0]?.()
  expect(await own).toBe(200)
  expect(held.get(flood.tenant.id)).toHaveLength(2)
  isHolding = false
  for (const letGo of held.get(flood.tenant.id) ?? []) letGo()
  expect(await Promise.all(floods)).toEqual(Array(6).fill(200))
})
