import { randomBytes } from 'node:crypto'
import { type EthereumOptions, type EthereumProvider, SymbolonError, unwrap } from '@symbolon/sdk'
import { forgetRates, makeTenant, startTestApp, type TestApp } from '@symbolon/testing/app'
import { type SharedChain, sharedChain } from '@symbolon/testing/chain'
import {
  createPublicClient,
  createWalletClient,
  custom,
  defineChain,
  getAddress,
  hexToBigInt,
  http,
  parseEther,
  parseTransaction,
  recoverMessageAddress,
  verifyTypedData,
} from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { loggedIn, logInBySdk, sdkClient } from './sdk-fixture.ts'

let app: TestApp
let chain: SharedChain
let chain2: SharedChain

beforeAll(async () => {
  ;[chain, chain2] = await Promise.all([sharedChain('local'), sharedChain('local-2')])
  app = await startTestApp({
    chains: [chain, chain2].map((one) => ({
      handle: one.handle,
      rpcUrls: [one.rpcUrl],
      bundlerUrl: one.bundlerUrl,
      paymasterUrl: one.paymasterUrl,
      confirmations: 1,
    })),
  })
})
afterAll(() => app?.stop())
afterEach(() => forgetRates(app))

const rpcUrls = () => ({ local: chain.rpcUrl, 'local-2': chain2.rpcUrl })
const local = (id: number) =>
  defineChain({
    id,
    name: 'Local',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [] } },
  })
const viemWallet = (provider: EthereumProvider, chainId = 31337) =>
  createWalletClient({ chain: local(chainId), transport: custom(provider) })
const reader = () => createPublicClient({ transport: http(chain.rpcUrl) })
const recipient = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
/** An address that nobody else of the run pays to. */
const newAddress = () => getAddress(`0x${randomBytes(20).toString('hex')}`)

/** A provider of a logged-in user who holds one ether. */
async function rich(options: EthereumOptions = {}) {
  const sdk = await loggedIn(app, { rpcUrls: rpcUrls() })
  const provider = sdk.ethereum({ chain: 'local', ...options })
  const [address] = await viemWallet(provider).requestAddresses()
  if (address === undefined) throw new Error('no account')
  await chain.fund(address, parseEther('1'))
  return { sdk, provider, address, viem: viemWallet(provider) }
}
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'fulfilled',
    (error: { code?: unknown }) => error.code,
  )

describe('viem over the provider, unchanged', () => {
  test('signs messages and typed data that verify', async () => {
    const { viem, address } = await rich()
    for (const message of ['hello', { raw: '0xdeadbeef' } as const]) {
      const signature = await viem.signMessage({ account: address, message })
      expect(await recoverMessageAddress({ message, signature })).toBe(address)
    }
    const typed = {
      domain: { name: 'Shop', version: '1', chainId: 31337, verifyingContract: recipient },
      types: { Order: [{ name: 'amount', type: 'uint256' }] },
      primaryType: 'Order',
      message: { amount: 12n },
    } as const
    const signature = await viem.signTypedData({ account: address, ...typed })
    expect(await verifyTypedData({ address, signature, ...typed })).toBe(true)
  })

  test('sends ether, and the chain has it', async () => {
    const { viem, address } = await rich()
    const to = newAddress()
    const hash = await viem.sendTransaction({ account: address, to, value: 12_345n })
    const receipt = await reader().waitForTransactionReceipt({ hash })
    expect(receipt).toMatchObject({ status: 'success', from: address.toLowerCase() })
    expect(await reader().getBalance({ address: to })).toBe(12_345n)
  })

  test('deploys a contract', async () => {
    const { viem, address } = await rich()
    // Init code that leaves the one byte 0x00 as the contract.
    const hash = await viem.deployContract({ account: address, abi: [], bytecode: '0x60015ff3' })
    const { status, contractAddress } = await reader().waitForTransactionReceipt({ hash })
    expect(status).toBe('success')
    expect(await reader().getCode({ address: contractAddress ?? '0x' })).toBe('0x00')
  })

  test('signs a transaction without sending it, with the fees and nonce of the request', async () => {
    const { provider, address } = await rich()
    const raw = await provider.request({
      method: 'eth_signTransaction',
      params: [
        {
          from: address,
          to: recipient,
          nonce: '0x7',
          maxFeePerGas: '0x3b9aca00',
          maxPriorityFeePerGas: '0x1',
        },
      ],
    })
    expect(parseTransaction(raw as `0x02${string}`)).toMatchObject({
      nonce: 7,
      maxFeePerGas: 1_000_000_000n,
      maxPriorityFeePerGas: 1n,
    })
  })

  test('signs access lists, in the new form of transactions and in the old, and sends them', async () => {
    const { provider, viem, address } = await rich()
    const entry = { address: newAddress().toLowerCase() as `0x${string}` }
    const accessList = [{ ...entry, storageKeys: [`0x${'07'.repeat(32)}`] }] as const
    const given = { from: address, to: recipient, accessList }
    const signed = async (more: object) => {
      const call = { method: 'eth_signTransaction', params: [{ ...given, ...more }] }
      return parseTransaction((await provider.request(call)) as `0x02${string}`)
    }
    expect(await signed({})).toMatchObject({ type: 'eip1559', accessList })
    expect(await signed({ type: '0x1', gasPrice: '0x77359400' })).toMatchObject({
      type: 'eip2930',
      gasPrice: 2_000_000_000n,
      accessList,
    })
    const hash = await viem.sendTransaction({ account: address, to: recipient, accessList })
    await reader().waitForTransactionReceipt({ hash })
    expect(await reader().getTransaction({ hash })).toMatchObject({ type: 'eip1559', accessList })
    for (const wrong of [{}, [{}], [{ address: recipient, storageKeys: ['0x01'] }]])
      expect(
        await codeOf(
          provider.request({ method: 'eth_signTransaction', params: [{ ...given, accessList: wrong }] }),
        ),
      ).toBe(-32602)
  })

  test('names the signer of a message', async () => {
    const { provider, viem, address } = await rich()
    const signature = await viem.signMessage({ account: address, message: 'hello' })
    const recovered = (message: string) =>
      provider.request({ method: 'personal_ecRecover', params: [message, signature] })
    expect(await recovered('hello')).toBe(address.toLowerCase())
    expect(await recovered('0x68656c6c6f')).toBe(address.toLowerCase())
    expect(await codeOf(provider.request({ method: 'personal_ecRecover', params: ['hello', '0x00'] }))).toBe(
      -32602,
    )
  })

  test('switches the chain, reads it, and emits an event', async () => {
    const { provider, viem } = await rich()
    const seen: string[] = []
    provider.on('chainChanged', (chainId) => seen.push(chainId))
    expect(await viem.getChainId()).toBe(31337)
    await viem.switchChain({ id: 31338 })
    expect(await viem.getChainId()).toBe(31338)
    expect(await provider.request({ method: 'net_version' })).toBe('31338')
    expect(hexToBigInt((await provider.request({ method: 'eth_blockNumber' })) as `0x${string}`)).toBeTypeOf(
      'bigint',
    )
    expect(seen).toEqual(['0x7a6a'])
  })
})

describe('the provider', () => {
  test('returns accounts only to a user who is logged in, makes the wallet at the first request, and says when they change', async () => {
    const tenant = await makeTenant(app)
    const sdk = sdkClient(app, tenant)
    const provider = sdk.ethereum({ chain: 'local' })
    const seen: string[][] = []
    provider.on('accountsChanged', (accounts) => seen.push(accounts))
    expect(await provider.request({ method: 'eth_accounts' })).toEqual([])
    expect(await codeOf(provider.request({ method: 'eth_requestAccounts' }))).toBe(4100)
    await logInBySdk(app, sdk)
    const [address] = (await provider.request({ method: 'eth_requestAccounts' })) as string[]
    expect(address).toBe(unwrap(await sdk.wallets.get()).addresses['evm'])
    expect(await provider.request({ method: 'eth_accounts' })).toEqual([address])
    await sdk.auth.logout()
    expect(seen).toEqual([[address], []])
    expect(await provider.request({ method: 'eth_accounts' })).toEqual([])
  })

  test('logs in by itself when it knows how', async () => {
    const sdk = sdkClient(app, await makeTenant(app))
    const provider = sdk.ethereum({ chain: 'local', login: () => logInBySdk(app, sdk) })
    expect(await provider.request({ method: 'eth_requestAccounts' })).toHaveLength(1)
  })

  test('a login that fails is an error of the provider, and a second request at once does not ask again', async () => {
    const sdk = sdkClient(app, await makeTenant(app))
    const failing = (error: unknown) => {
      let asked = 0
      const login = () => {
        asked++
        return Promise.reject(error)
      }
      return { provider: sdk.ethereum({ chain: 'local', login }), asked: () => asked }
    }
    const closed = failing(Object.assign(new Error('Closed.'), { code: 4001 }))
    expect(await codeOf(closed.provider.request({ method: 'eth_requestAccounts' }))).toBe(4001)
    const wrong = failing(new SymbolonError({ code: 'otp_invalid', message: 'The code is wrong.' }))
    const permissions = { method: 'wallet_requestPermissions', params: [{ eth_accounts: {} }] }
    await expect(wrong.provider.request(permissions)).rejects.toMatchObject({
      code: 4100,
      message: 'The code is wrong.',
      data: { code: 'otp_invalid' },
    })
    expect(await codeOf(wrong.provider.request({ method: 'eth_requestAccounts' }))).toBe(4100)
    expect(wrong.asked()).toBe(1)
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    expect(await codeOf(wrong.provider.request({ method: 'eth_requestAccounts' }))).toBe(4100)
    expect(wrong.asked()).toBe(2)
    const away = failing(
      new SymbolonError({ code: 'network_failed', message: 'Away.', details: { hint: 'Look there.' } }),
    )
    await expect(away.provider.request({ method: 'eth_requestAccounts' })).rejects.toMatchObject({
      code: 4900,
      data: { code: 'network_failed', details: { hint: 'Look there.' } },
    })
  })

  test('gives up and takes back its permission (EIP-2255)', async () => {
    const { provider, address } = await rich()
    const permission = [
      { parentCapability: 'eth_accounts', caveats: [{ type: 'restrictReturnedAccounts', value: [address] }] },
    ]
    expect(await provider.request({ method: 'wallet_getPermissions' })).toMatchObject(permission)
    await provider.request({ method: 'wallet_revokePermissions', params: [{ eth_accounts: {} }] })
    expect(await provider.request({ method: 'eth_accounts' })).toEqual([])
    expect(await codeOf(provider.request({ method: 'personal_sign', params: ['0x00', address] }))).toBe(4100)
    const again = await provider.request({
      method: 'wallet_requestPermissions',
      params: [{ eth_accounts: {} }],
    })
    expect(again).toMatchObject(permission)
  })

  const from = { from: recipient, to: recipient }
  const refused: [what: string, code: number, method: string, params: unknown[]][] = [
    ['eth_sign, which signs what nobody can read', 4200, 'eth_sign', [recipient, '0x00']],
    ['an older typed data method', 4200, 'eth_signTypedData_v3', [recipient, '{}']],
    ['a method that nobody knows', 4200, 'shop_buy', []],
    ['what viem tries after an error, so that it shows the first one', -32601, 'wallet_sendTransaction', []],
    ['a method by a name of objects', 4200, 'constructor', []],
    ["another's account", 4100, 'personal_sign', ['0x00', recipient]],
    ["another's transaction", 4100, 'eth_sendTransaction', [from]],
    ['an invalid message', -32602, 'personal_sign', [1]],
    ['an invalid recipient', -32602, 'eth_sendTransaction', [{ to: '0x1234' }]],
    ['an invalid value', -32602, 'eth_sendTransaction', [{ to: recipient, value: '10' }]],
    ['a transaction of another chain', -32602, 'eth_sendTransaction', [{ to: recipient, chainId: '0x1' }]],
    ['a chain that the platform does not have', 4902, 'wallet_switchEthereumChain', [{ chainId: '0xffff' }]],
    ['adding a chain', 4200, 'wallet_addEthereumChain', [{ chainId: '0xffff' }]],
    ['calls without any', -32602, 'wallet_sendCalls', [{ calls: [] }]],
  ]
  test.each(refused)('refuses %s with %i', async (_, code, method, params) => {
    provider ??= (await rich()).provider
    expect(await codeOf(provider.request({ method, params }))).toBe(code)
  })
  const told: [what: string, words: RegExp, method: string, params: unknown[]][] = [
    ['which method to use in the place of eth_sign', /use personal_sign\.$/, 'eth_sign', [recipient, '0x00']],
    [
      'which method to use in the place of an older one for typed data',
      /use eth_signTypedData_v4\.$/,
      'eth_signTypedData_v3',
      [],
    ],
    [
      'which account it has, and which was named',
      new RegExp(`^The account is 0x\\w{40}, not ${recipient}\\.$`),
      'personal_sign',
      ['0x00', recipient],
    ],
  ]
  test.each(told)('says in its refusal %s', async (_, words, method, params) => {
    provider ??= (await rich()).provider
    await expect(provider.request({ method, params })).rejects.toThrow(words)
  })
  let provider: EthereumProvider | undefined

  test('signs typed data of another chain, as a secret key does, and refuses a chain id that is no number', async () => {
    const { provider, address } = await rich()
    const signed = (chainId: unknown) => {
      const typed = { domain: { chainId }, types: { A: [] }, primaryType: 'A', message: {} }
      return provider.request({
        method: 'eth_signTypedData_v4',
        params: [address, JSON.stringify(typed)],
      })
    }
    const typed = { domain: { chainId: 1 }, types: { A: [] }, primaryType: 'A', message: {} } as const
    const signature = (await signed(1)) as `0x${string}`
    expect(await verifyTypedData({ address, signature, ...typed })).toBe(true)
    expect(await codeOf(signed('one'))).toBe(-32602)
  })

  test('reads nothing without a node, and hands on what a node refuses', async () => {
    const { sdk, provider } = await rich()
    const params = ['0x1234', 'latest']
    expect(await codeOf(provider.request({ method: 'eth_getBalance', params }))).toBe(-32602)
    const bare = sdkClient(app, sdk.tenant).ethereum({ chain: 'local' })
    expect(await codeOf(bare.request({ method: 'eth_blockNumber' }))).toBe(4200)
  })

  test('says that the platform is out of reach, and that it is back', async () => {
    let isDown = false
    const sdk = sdkClient(
      app,
      await makeTenant(app),
      {},
      {
        fetch: (...call) => (isDown ? Promise.reject(new TypeError('down')) : fetch(...call)),
      },
    )
    await logInBySdk(app, sdk)
    const provider = sdk.ethereum({ chain: 'local' })
    const seen: unknown[] = []
    provider.on('connect', ({ chainId }) => seen.push(chainId))
    provider.on('disconnect', ({ code }) => seen.push(code))
    const [address] = (await provider.request({ method: 'eth_requestAccounts' })) as string[]
    isDown = true
    expect(await codeOf(provider.request({ method: 'personal_sign', params: ['0x00', address] }))).toBe(4900)
    isDown = false
    await provider.request({ method: 'personal_sign', params: ['0x00', address] })
    await expect.poll(() => seen).toEqual(['0x7a69', 1013, '0x7a69'])
  })
})

describe('a provider of the smart account', () => {
  test('sends several calls as one operation that nobody has to pay for, and reports how it ended', async () => {
    const sdk = await loggedIn(app, { rpcUrls: rpcUrls() })
    const provider = sdk.ethereum({ chain: 'local', account: 'smart_account' })
    const viem = viemWallet(provider)
    const [account] = await viem.requestAddresses()
    if (account === undefined) throw new Error('no account')
    const wallet = unwrap(await sdk.wallets.get())
    expect(account).not.toBe(getAddress(wallet.addresses['evm'] ?? ''))
    await chain.fund(account, 1_000n)
    const to = newAddress()

    expect(await viem.getCapabilities({ account, chainId: 31337 })).toMatchObject({
      atomic: { status: 'supported' },
    })
    const { id } = await viem.sendCalls({
      account,
      calls: [
        { to, value: 1n },
        { to, value: 2n },
      ],
    })
    const { status, receipts, atomic } = await viem.waitForCallsStatus({ id })
    expect({ status, atomic }).toEqual({ status: 'success', atomic: true })
    expect(receipts?.[0]?.status).toBe('success')
    expect(await reader().getBalance({ address: to })).toBe(3n)

    const hash = await viem.sendTransaction({ account, to, value: 4n })
    expect((await reader().waitForTransactionReceipt({ hash })).status).toBe('success')

    const signature = await viem.signMessage({ account, message: 'hello' })
    expect(await reader().verifyMessage({ address: account, message: 'hello', signature })).toBe(true)
    const unknown = { method: 'wallet_getCallsStatus', params: ['0x1234'] }
    expect(await codeOf(provider.request(unknown))).toBe(5730)
  })
})
