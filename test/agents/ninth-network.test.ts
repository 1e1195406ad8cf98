import { createPublicKey, verify } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { SignResponse, WalletWithIdentity } from '@symbolon/api'
import type { Networks } from '@symbolon/networks'
import { mintSession, mySession, signAs, violation } from '@symbolon/testing/agents'
import {
  type Installation,
  makeTenant,
  makeWalletFor,
  startInstallation,
  startTestApp,
  type Tenant,
  type TestApp,
} from '@symbolon/testing/app'
import { type EnclaveProcess, startEnclaveProcess } from '@symbolon/testing/enclave'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ember, emberAddress, emberBytes } from './ninth-network/ember.ts'

// The two files outside its folder that a network has lines in (CONTRIBUTING.md, "Add a network").
vi.mock('../../packages/networks/src/networks.ts', async (original) => {
  const { networks } = await original<{ networks: Networks }>()
  const { networkSet } = await import('@symbolon/networks/testing/internals')
  const ninth = await import('./ninth-network/ember.ts')
  return { networks: networkSet([...networks.list, ninth.ember]) }
})
vi.mock('@symbolon/networks/names', async (original) => {
  const names = await original<typeof import('@symbolon/networks/names')>()
  return {
    networkNames: { ...names.networkNames, ember: 'Ember' },
    transactionForms: { ...names.transactionForms, ember: '42 bytes (base64)' },
  }
})

let installation: Installation
let enclaveProcess: EnclaveProcess
let app: TestApp
let tenant: Tenant
let wallet: WalletWithIdentity
let publicKey: Buffer

beforeAll(async () => {
  const entry = fileURLToPath(new URL('./ninth-network/enclave-main.ts', import.meta.url))
  ;[installation, enclaveProcess] = await Promise.all([startInstallation(), startEnclaveProcess({ entry })])
  app = await startTestApp({ installation: { ...installation, enclaveProcess } })
  tenant = await makeTenant(app)
  wallet = await makeWalletFor(app, tenant, 'ed25519')
  publicKey = Buffer.from(wallet.public_key.slice(2), 'hex')
})
afterAll(async () => {
  await app?.stop()
  await Promise.all([enclaveProcess?.stop(), installation?.stop()])
})

const payee = new Uint8Array(32).fill(7)
const payment = (amount: bigint, method?: number) => ({
  type: 'transaction',
  chain: 'ember',
  transaction: Buffer.from(emberBytes(payee, amount, method)).toString('base64'),
})

function isSigned(bytes: Uint8Array, { signature = '' }: SignResponse): boolean {
  const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), publicKey])
  const key = createPublicKey({ key: spki, format: 'der', type: 'spki' })
  return verify(null, bytes, key, Buffer.from(signature.slice(2), 'hex'))
}

test('a wallet has an address on the ninth network, and the API lists its chain', async () => {
  expect(wallet.addresses['ember']).toBe(emberAddress(publicKey))
  const { data } = await app.call<{ items: { handle: string }[] }>('GET', '/v1/chains', { sk: tenant.sk })
  expect(data.items.find(({ handle }) => handle === 'ember')).toMatchObject({
    network: 'ember',
    caip2: 'ember:9',
    native_asset: ember.chains[0]?.nativeAsset,
  })
})

test('a transaction is previewed and signed by the wallet in the enclave', async () => {
  const json = { wallet_id: wallet.id, ...payment(1500n) }
  const { status, text, data } = await app.call<SignResponse>('POST', '/v1/s2s/sign', { sk: tenant.sk, json })
  expect(status, text).toBe(200)
  expect(data.decoded_preview).toMatchObject({
    title: 'Send 1500 thousandths',
    from: emberAddress(publicKey),
    actions: [{ kind: 'transfer', asset: 'EMB', amount: '1500', to: emberAddress(payee) }],
  })
  expect(isSigned(emberBytes(payee, 1500n), data)).toBe(true)
})

test('an agent signs within its caps, and not above them', async () => {
  const { token } = await mintSession(app, tenant, wallet.id, {
    allowed_chains: ['ember'],
    allowed_recipients: [emberAddress(payee)],
    max_spend_per_tx_native: '1000',
    max_spend_total_native: '1501',
  })
  const first = await signAs(app, token, payment(1000n))
  expect(first.status, first.text).toBe(200)
  expect(isSigned(emberBytes(payee, 1000n), first.data)).toBe(true)
  expect((await mySession(app, token)).spent).toMatchObject([
    { asset: 'EMB', spent: '1001', remaining: '500' },
  ])

  expect(violation(await signAs(app, token, payment(1001n)))?.reason).toBe('per_tx_cap_exceeded')
  expect(violation(await signAs(app, token, payment(500n)))).toMatchObject({
    reason: 'total_cap_exceeded',
    actual: '1502',
    value: '500',
    fee: '1',
  })
  expect(violation(await signAs(app, token, payment(1n, 2)))?.reason).toBe('payload_undecodable')
})
