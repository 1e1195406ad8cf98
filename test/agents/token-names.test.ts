import { anyAddress, mintSession, mySession, roomForFees, signAs } from '@symbolon/testing/agents'
import { makeTenant, makeWalletFor, startTestApp, type Tenant, type TestApp } from '@symbolon/testing/app'
import { getAddress, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'

let app: TestApp
let tenant: Tenant

beforeAll(async () => {
  app = await startTestApp()
  tenant = await makeTenant(app)
})
afterAll(() => app?.stop())

/** ERC-20 `transfer` of seven units. */
const transferOf = (token: string) => ({
  type: 'transaction',
  chain: 'local',
  transaction: {
    to: token,
    value: '0x0',
    data: `0xa9059cbb${anyAddress().slice(2).toLowerCase().padStart(64, '0')}${'7'.padStart(64, '0')}`,
    nonce: '0x0',
    gas_limit: '0x15f90',
    max_fee_per_gas: '0x1',
    max_priority_fee_per_gas: '0x0',
  },
})

test.each([
  '0x0b306bf915c4d645ff596e518faf3f9669b97016',
  '0x00000000219ab540356cbb839cbe05303d7705fa',
  '0x0000000000000000000000000000000000000007',
  '0x5fbdb2315678afecb367f032d93f642f64180aa3',
] as Hex[])('a spend of %s has the name that a dry run gives it', async (token) => {
  const wallet = await makeWalletFor(app, tenant)
  const session = await mintSession(app, tenant, wallet.id, {
    ...roomForFees,
    allowed_tokens: [{ chain: 'local', token, max_total: '10' }],
  })
  const request = transferOf(token)
  const dry = await signAs(app, session.token, { ...request, dry_run: true })
  const name = `local ${getAddress(token)}`
  expect(dry.data.decision?.spends, dry.text).toContainEqual({ asset: name, amount: '7', remaining: '3' })
  const signed = await signAs(app, session.token, request)
  expect(signed.status, signed.text).toBe(200)
  const { spent } = await mySession(app, session.token)
  expect(spent).toContainEqual({ asset: name, spent: '7', reserved: '0', remaining: '3' })
})
