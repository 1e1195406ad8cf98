import { devContracts } from '@symbolon/dev/testing/chain'
import type { EthereumProvider } from '@symbolon/sdk'
import { forgetRates, startTestApp, type TestApp } from '@symbolon/testing/app'
import { type SharedChain, sharedChain } from '@symbolon/testing/chain'
import {
  type BaseError,
  ContractFunctionRevertedError,
  createWalletClient,
  custom,
  defineChain,
  encodeFunctionData,
  InsufficientFundsError,
  parseEther,
} from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { loggedIn } from './sdk-fixture.ts'

let app: TestApp
let chain: SharedChain

beforeAll(async () => {
  chain = await sharedChain('local')
  const { handle, rpcUrl, bundlerUrl, paymasterUrl } = chain
  app = await startTestApp({
    chains: [{ handle, rpcUrls: [rpcUrl], bundlerUrl, paymasterUrl, confirmations: 1 }],
  })
})
afterAll(() => app?.stop())
afterEach(() => forgetRates(app))

const rpcUrls = () => ({ local: chain.rpcUrl })
const local = defineChain({
  id: 31337,
  name: 'Local',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [] } },
})
const viemWallet = (provider: EthereumProvider) =>
  createWalletClient({ chain: local, transport: custom(provider) })
const recipient = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** A provider of a logged-in user who holds one ether. */
async function rich() {
  const sdk = await loggedIn(app, { rpcUrls: rpcUrls() })
  const provider = sdk.ethereum({ chain: 'local' })
  const viem = viemWallet(provider)
  const [address] = await viem.requestAddresses()
  if (address === undefined) throw new Error('no account')
  await chain.fund(address, parseEther('1'))
  return { provider, address, viem }
}

describe('what would fail is told before anything is signed', () => {
  const { abi } = devContracts().DevTarget
  const call = (name: string, args: unknown[] = []) =>
    encodeFunctionData({ abi, functionName: name as never, args: args as never })
  test('a revert whose data is no text has no reason', async () => {
    const { provider, address } = await rich()
    // A deployment that reverts with 128 bytes of zeros.
    const params = [{ from: address, data: '0x60806040fd' }]
    for (const method of ['eth_estimateGas', 'eth_call', 'eth_sendTransaction'] as const) {
      const error = await caught(provider.request({ method, params } as never))
      expect(error).toMatchObject({ code: 3, message: 'execution reverted', data: `0x${'00'.repeat(128)}` })
    }
  })

  const caught = (run: Promise<unknown>) =>
    run.then(
      () => expect.unreachable(),
      (error: unknown) => error as BaseError & { code?: number; data?: unknown },
    )
  const fails = [
    ['fail', [], 'execution reverted: DevTarget: no', 'Execution reverted with reason: DevTarget: no.'],
    [
      'failCustom',
      [7n],
      /^execution reverted: custom error 0x[0-9a-f]{72}$/,
      /^Execution reverted with reason: custom/,
    ],
    ['failSilently', [], 'execution reverted', 'Execution reverted for an unknown reason.'],
  ] as const

  test.each(fails)('%s: as geth tells it, and so as viem knows it', async (name, args, message, short) => {
    wallet ??= await rich()
    const { provider, viem, address } = wallet
    const transaction = { to: chain.contracts.target, data: call(name, [...args]) }
    const params = [{ from: address, ...transaction }]
    const raw = await caught(provider.request({ method: 'eth_sendTransaction', params }))
    expect(raw).toMatchObject({ code: 3, message: expect.stringMatching(message) })
    expect(raw.data).toMatch(/^0x/)
    const sent = await caught(viem.sendTransaction({ account: address, ...transaction }))
    expect(sent.shortMessage).toMatch(short)
    const listed = { version: '2.0.0', from: address, chainId: '0x7a69', calls: [transaction] }
    for (const calls of [[transaction], [transaction, transaction]]) {
      const batch = { method: 'wallet_sendCalls', params: [{ ...listed, calls }] }
      expect(await caught(provider.request(batch))).toMatchObject({ code: 3, message: raw.message })
    }
    const written = await caught(
      viem.writeContract({
        account: address,
        address: chain.contracts.target,
        abi,
        functionName: name,
        args,
      } as never),
    )
    const reverted = written.walk((error) => error instanceof ContractFunctionRevertedError)
    expect(reverted).toMatchObject(
      {
        fail: { reason: 'DevTarget: no' },
        failCustom: { data: { errorName: 'Refused', args: [7n] } },
        failSilently: { name: 'ContractFunctionRevertedError' },
      }[name],
    )
  })
  let wallet: Awaited<ReturnType<typeof rich>> | undefined

  test('a lack of funds, with what there is and what it takes, whoever chose gas and fees', async () => {
    wallet ??= await rich()
    const { provider, viem, address } = wallet
    const message =
      /^Insufficient funds: the wallet has (?:1|0\.9\d*) ETH and this needs 1\.\d{1,6} ETH, fees included\.$/
    const value = parseEther('1')
    for (const more of [
      { value: value + 1n },
      { value },
      { value, gas: 21_000n, maxFeePerGas: 10n ** 10n },
    ]) {
      const error = await caught(viem.sendTransaction({ account: address, to: recipient, ...more }))
      expect(error.walk((one) => one instanceof InsufficientFundsError)).not.toBeNull()
      expect(error.details).toMatch(message)
    }
    const half = { to: recipient, value: `0x${(value / 2n).toString(16)}` }
    const batch = { version: '2.0.0', from: address, chainId: '0x7a69', calls: [half, half] }
    const error = await caught(provider.request({ method: 'wallet_sendCalls', params: [batch] }))
    expect(error).toMatchObject({ code: -32003, message: expect.stringMatching(message) })
  })

  test('for a smart account too', async () => {
    const sdk = await loggedIn(app, { rpcUrls: rpcUrls() })
    const viem = viemWallet(sdk.ethereum({ chain: 'local', account: 'smart_account' }))
    const [account] = await viem.requestAddresses()
    if (account === undefined) throw new Error('no account')
    const reverting = { to: chain.contracts.target, data: call('failCustom', [7n]) }
    const reverted = await caught(viem.sendTransaction({ account, ...reverting }))
    expect(reverted.shortMessage).toMatch(/^Execution reverted with reason: custom error 0x[0-9a-f]{72}\.$/)
    const poor = await caught(viem.sendCalls({ account, calls: [{ to: recipient, value: 5n * 10n ** 17n }] }))
    expect(poor.details).toBe(
      'Insufficient funds: the smart account has 0 ETH and this sends 0.5 ETH. The fees are sponsored.',
    )
  })
})
