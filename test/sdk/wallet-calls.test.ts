import { randomBytes } from 'node:crypto'
import type { Client, EthereumProvider } from '@symbolon/sdk'
import { forgetRates, makeTenant, startTestApp, type TestApp } from '@symbolon/testing/app'
import { type SharedChain, sharedChain } from '@symbolon/testing/chain'
import { until } from '@symbolon/testing/wait'
import {
  createPublicClient,
  createWalletClient,
  custom,
  defineChain,
  getAddress,
  http,
  parseEther,
} from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { clientDevice } from './client-device.ts'
import { logInBySdk, sdkClient } from './sdk-fixture.ts'

let app: TestApp
let chain: SharedChain

beforeAll(async () => {
  chain = await sharedChain('local')
  app = await startTestApp({ chains: [{ handle: 'local', rpcUrls: [chain.rpcUrl], confirmations: 1 }] })
})
afterAll(() => app?.stop())
afterEach(() => forgetRates(app))

const newAddress = () => getAddress(`0x${randomBytes(20).toString('hex')}`)
const balance = (address: `0x${string}`) =>
  createPublicClient({ transport: http(chain.rpcUrl) }).getBalance({ address })
const pay = (to: string, wei: number) => ({ to, value: `0x${wei.toString(16)}` })
/**
 * Deploys what reverts whenever its caller pays for gas, and nothing else: an estimate, which names no price, passes
 * (GASPRICE ISZERO PUSH 9 JUMPI, PUSH 0 DUP REVERT, JUMPDEST STOP).
 */
const reverting = '0x6a3a15600957600080fd5b00600052600b6015f3' as const

/** The storage of a page that is loaded again and again. */
function pageStorage() {
  const items = new Map<string, string>()
  let frozen: RegExp | undefined
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem(key: string, value: string) {
      if (frozen?.test(items.get(key) ?? '') !== true) items.set(key, value)
    },
    /** Keeps what is written once it looks like this. */
    freeze(form: RegExp) {
      frozen = form
    },
  }
}

const providerOf = (sdk: Client) => sdk.ethereum({ chain: 'local' })

/** A logged-in user who holds one ether, in a page with a storage. */
async function rich(mode: 'client' | 'tee' = 'tee') {
  const tenant = await makeTenant(app, { signingMode: mode })
  const options = { rpcUrls: { local: chain.rpcUrl } }
  const localStorage = pageStorage()
  const ports = { localStorage }
  const device = mode === 'client' ? await clientDevice(app, tenant, options, ports) : undefined
  const sdk = device ?? sdkClient(app, tenant, options, ports)
  const email = await logInBySdk(app, sdk)
  if (device !== undefined) device.person.email = email
  const provider = providerOf(sdk)
  const [address] = await provider.request<`0x${string}`[]>({ method: 'eth_requestAccounts' })
  if (address === undefined) throw new Error('no account')
  await chain.fund(address, parseEther('1'))
  return { sdk, provider, address, localStorage, tenant, options, device }
}

const send = (provider: EthereumProvider, calls: object[], more: object = {}) =>
  provider.request<{ id: string }>({
    method: 'wallet_sendCalls',
    params: [{ version: '2.0.0', chainId: '0x7a69', atomicRequired: false, calls, ...more }],
  })
type Status = { status: number; atomic: boolean; receipts?: { status: string; transactionHash: string }[] }
const statusOf = (provider: EthereumProvider, id: string) =>
  provider.request<Status>({ method: 'wallet_getCallsStatus', params: [id] })
async function ended(provider: EthereumProvider, id: string): Promise<Status> {
  await until(async () => (await statusOf(provider, id)).status !== 100)
  return statusOf(provider, id)
}
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'fulfilled',
    (error: { code?: unknown }) => error.code,
  )

/** A contract whose calls pass every estimate and revert on the chain. */
async function revertingContract(sdk: { provider: EthereumProvider; address: string }): Promise<string> {
  const hash = await sdk.provider.request({
    method: 'eth_sendTransaction',
    params: [{ from: sdk.address, data: reverting }],
  })
  const reader = createPublicClient({ transport: http(chain.rpcUrl) })
  const receipt = await reader.waitForTransactionReceipt({ hash: hash as `0x${string}` })
  return String(receipt.contractAddress)
}

describe('calls of a wallet that is no smart account', () => {
  test('are sent one after another, each on the chain before the next', async () => {
    const { provider } = await rich()
    const to = newAddress()
    const { id } = await send(provider, [pay(to, 1), pay(to, 2), pay(to, 3)])
    const { status, atomic, receipts } = await ended(provider, id)
    expect({ status, atomic }).toEqual({ status: 200, atomic: false })
    expect(receipts?.map((receipt) => receipt.status)).toEqual(['0x1', '0x1', '0x1'])
    expect(new Set(receipts?.map(({ transactionHash }) => transactionHash)).size).toBe(3)
    expect(await balance(to)).toBe(6n)
  })

  test('stop at the first that fails: 600 with the receipts so far, and the next page knows it too', async () => {
    const user = await rich()
    const bad = await revertingContract(user)
    const to = newAddress()
    const { id } = await send(user.provider, [pay(to, 1), { to: bad }, pay(to, 2)])
    const { status, receipts } = await ended(user.provider, id)
    expect({ status, receipts: receipts?.map((receipt) => receipt.status) }).toEqual({
      status: 600,
      receipts: ['0x1', '0x0'],
    })
    expect(await balance(to)).toBe(1n)
    const next = sdkClient(app, user.tenant, user.options, { localStorage: user.localStorage })
    expect((await statusOf(providerOf(next), id)).status).toBe(600)
  })

  test('have the gas of their estimates, whatever gas, nonce or fee the page gives to make one fail', async () => {
    const { provider } = await rich()
    const to = newAddress()
    const low = { gas: '0x5208', gasLimit: '0x5208', maxFeePerGas: '0x1', nonce: '0x63' }
    const { id } = await send(provider, [{ ...pay(to, 1), data: `0x${'ff'.repeat(64)}`, ...low }, pay(to, 2)])
    expect((await ended(provider, id)).receipts?.map(({ status }) => status)).toEqual(['0x1', '0x1'])
    expect(await balance(to)).toBe(3n)
  })

  test('that none of took effect are 500, and 400 where none was sent', async () => {
    const user = await rich()
    const bad = await revertingContract(user)
    const { id } = await send(user.provider, [{ to: bad }, pay(newAddress(), 1)])
    expect((await ended(user.provider, id)).status).toBe(500)
    const atomic = { atomicRequired: true }
    expect(await codeOf(send(user.provider, [pay(newAddress(), 1), { to: bad }], atomic))).toBe(5760)
    const poor = { id: 'poor' }
    const tooMuch = { to: newAddress(), value: `0x${parseEther('100').toString(16)}` }
    expect(await codeOf(send(user.provider, [tooMuch], poor))).not.toBe('fulfilled')
    expect((await statusOf(user.provider, 'poor')).status).toBe(400)
  })

  test('of a page that was left are over: 600 with what was sent, and the rest is not sent by the next page', async () => {
    const user = await rich()
    // From its first sent call on, the storage is as the page left it.
    user.localStorage.freeze(/"hashes":\["0x/)
    const { id } = await send(user.provider, [pay(newAddress(), 1), pay(newAddress(), 2)])
    await until(async () => (await statusOf(user.provider, id)).status === 200)
    const next = sdkClient(app, user.tenant, user.options, { localStorage: user.localStorage })
    const { status, receipts } = await statusOf(providerOf(next), id)
    expect({ status, receipts: receipts?.length }).toEqual({ status: 600, receipts: 1 })
  })

  test('have an id of the page that works once, and capabilities that are optional', async () => {
    const { provider } = await rich()
    const calls = [pay(newAddress(), 1)]
    const optional = { capabilities: { paymasterService: { optional: true, url: 'https://x.example' } } }
    expect(await send(provider, calls, { id: '0xabc', ...optional })).toEqual({ id: '0xabc' })
    expect(await codeOf(send(provider, calls, { id: '0xabc' }))).toBe(5720)
    expect(await codeOf(send(provider, calls, { capabilities: { paymasterService: { url: 'x' } } }))).toBe(
      5700,
    )
    expect(await codeOf(send(provider, calls, { chainId: '0x1' }))).toBe(5710)
    expect(await codeOf(statusOf(provider, '0xdef'))).toBe(5730)
    const capabilities = { method: 'wallet_getCapabilities', params: [undefined, ['0x7a69']] }
    expect(await provider.request(capabilities)).toEqual({ '0x7a69': { atomic: { status: 'unsupported' } } })
  })

  test('work for viem unchanged, with and without its fallback', async () => {
    const { provider, address } = await rich()
    const viem = createWalletClient({
      chain: defineChain({
        id: 31337,
        name: 'Local',
        nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
        rpcUrls: { default: { http: [] } },
      }),
      transport: custom(provider),
    })
    const to = newAddress()
    for (const experimental_fallback of [false, true]) {
      const { id } = await viem.sendCalls({
        account: address,
        experimental_fallback,
        calls: [
          { to, value: 1n },
          { to, value: 2n },
        ],
      })
      expect((await viem.waitForCallsStatus({ id })).status).toBe('success')
    }
    expect(await balance(to)).toBe(6n)
  })
})

describe('calls of a wallet in client mode', () => {
  test('are one dialog with all of them, and no further one', async () => {
    const { provider, device } = await rich('client')
    const to = newAddress()
    const { id } = await send(provider, [pay(to, 1), pay(to, 2)])
    expect((await ended(provider, id)).status).toBe(200)
    expect(await balance(to)).toBe(3n)
    expect(device?.person.confirmed.map(({ subject, preview }) => [subject, preview.actions.length])).toEqual(
      [['calls', 2]],
    )
    await provider.request({ method: 'wallet_showCallsStatus', params: [id] })
    expect(device?.person.told).toMatchObject([
      { status: 'confirmed', calls: [{ to: to.toLowerCase() }, {}] },
    ])
    expect(device?.person.told[0]?.calls.map(({ hash }) => hash?.length)).toEqual([66, 66])
  })

  test('that the person declines are 4001, and nothing is known of them', async () => {
    const { provider, device } = await rich('client')
    if (device !== undefined) device.person.agrees = false
    const to = newAddress()
    expect(await codeOf(send(provider, [pay(to, 1), pay(to, 2)], { id: 'no' }))).toBe(4001)
    expect(await codeOf(statusOf(provider, 'no'))).toBe(5730)
    expect(await balance(to)).toBe(0n)
  })
})
