import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ed25519 } from '@noble/curves/ed25519.js'
import {
  type Address,
  address,
  appendTransactionMessageInstruction,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  getTransactionDecoder,
  getTransactionEncoder,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit'
import type {
  SolanaSignInFeature,
  SolanaSignMessageFeature,
  SolanaSignTransactionFeature,
} from '@solana/wallet-standard-features'
import { forgetRates, startTestApp, type TestApp } from '@symbolon/testing/app'
import { type SharedChain, sharedChain } from '@symbolon/testing/chain'
import {
  connect,
  createConfig,
  disconnect,
  getConnection,
  http,
  sendTransaction,
  signMessage,
} from '@wagmi/core'
import type { Wallet, WalletWithFeatures } from '@wallet-standard/base'
import type { StandardConnectFeature, StandardEventsFeature } from '@wallet-standard/features'
import { parseEther, verifyMessage } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { loggedIn } from '../../../../test/sdk/sdk-fixture.ts'

let app: TestApp
let chain: SharedChain
const announced = {
  name: 'Shop Wallet',
  icon: 'data:image/svg+xml;base64,PHN2Zy8+',
  rdns: 'com.example.shop',
} as const

beforeAll(async () => {
  chain = await sharedChain()
  app = await startTestApp({
    chains: [{ handle: 'local', rpcUrls: [chain.rpcUrl], confirmations: 1 }],
  })
  // The part of a page that announcing needs; test/browser uses a real one.
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('location', new URL('https://shop.example'))
})
afterAll(async () => {
  vi.unstubAllGlobals()
  await app?.stop()
})
afterEach(() => forgetRates(app))

/** What apps of the Wallet Standard see, by `@wallet-standard/app`. */
async function walletsOfPage() {
  const { getWallets } = await import('@wallet-standard/app')
  return getWallets()
}
type Solana = WalletWithFeatures<
  StandardConnectFeature &
    StandardEventsFeature &
    SolanaSignMessageFeature &
    SolanaSignTransactionFeature &
    SolanaSignInFeature
>
const found = (wallets: readonly Wallet[]) => wallets.find(({ name }) => name === announced.name) as Solana

describe('@wagmi/core, unchanged', () => {
  test('finds the announced wallet (EIP-6963), connects, signs, sends and disconnects', async () => {
    const sdk = await loggedIn(app, { rpcUrls: { local: chain.rpcUrl } })
    const end = sdk.announce({ ...announced, chain: 'local' })
    const local = {
      id: 31337,
      name: 'Local',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: [chain.rpcUrl] } },
    } as const
    const config = createConfig({ chains: [local], transports: { 31337: http(chain.rpcUrl) } })
    try {
      const connector = config.connectors.find(({ id }) => id === announced.rdns)
      if (connector === undefined) throw new Error('not announced')
      expect(connector).toMatchObject({ name: announced.name, icon: announced.icon })
      const { accounts, chainId } = await connect(config, { connector })
      expect(chainId).toBe(31337)
      const [account] = accounts
      const signature = await signMessage(config, { message: 'hello' })
      expect(await verifyMessage({ address: account, message: 'hello', signature })).toBe(true)
      await chain.fund(account, parseEther('1'))
      expect(await sendTransaction(config, { to: account, value: 1n })).toMatch(/^0x[0-9a-f]{64}$/)
      await disconnect(config)
      expect(getConnection(config).status).toBe('disconnected')
      await connect(config, { connector })
      await sdk.auth.logout()
      await expect.poll(() => getConnection(config).status).toBe('disconnected')
    } finally {
      end()
    }
  })

  test('does not find a wallet that has been taken back', async () => {
    const sdk = await loggedIn(app)
    sdk.announce(announced)()
    const seen: unknown[] = []
    window.addEventListener('eip6963:announceProvider', (event) => seen.push(event))
    window.dispatchEvent(new Event('eip6963:requestProvider'))
    expect(seen).toEqual([])
    expect(found((await walletsOfPage()).get())).toBeUndefined()
  })
})

describe('@wallet-standard/app, unchanged', () => {
  test('finds the wallet, connects and signs a message and a sign-in', async () => {
    const sdk = await loggedIn(app)
    const wallets = await walletsOfPage()
    const end = sdk.announce(announced)
    try {
      const wallet = found(wallets.get())
      const changes: number[] = []
      wallet.features['standard:events'].on('change', ({ accounts = [] }) => changes.push(accounts.length))
      expect((await wallet.features['standard:connect'].connect({ silent: true })).accounts).toEqual([])
      const { accounts } = await wallet.features['standard:connect'].connect()
      const [account] = accounts
      if (account === undefined) throw new Error('no account')
      expect(wallet.accounts).toEqual(accounts)
      const message = new TextEncoder().encode('hello')
      const [signed] = await wallet.features['solana:signMessage'].signMessage({ account, message })
      expect(signed?.signedMessage).toEqual(message)
      expect(ed25519.verify(signed?.signature ?? message, message, Uint8Array.from(account.publicKey))).toBe(
        true,
      )

      const { signMessage: signOther } = wallet.features['solana:signMessage']
      const text = 'hello' as unknown as Uint8Array
      await expect(signOther({ account, message: text })).rejects.toThrow('`message` must be a Uint8Array')
      const nobody = undefined as unknown as typeof account
      await expect(signOther({ account: nobody, message })).rejects.toMatchObject({
        code: 'wallet_not_found',
      })

      const [signedIn] = await wallet.features['solana:signIn'].signIn({ statement: 'Hi', nonce: '12345678' })
      expect(new TextDecoder().decode(signedIn?.signedMessage)).toBe(
        `shop.example wants you to sign in with your Solana account:\n${account.address}\n\nHi\n\nNonce: 12345678`,
      )
      const foreign = wallet.features['solana:signIn'].signIn({ domain: 'evil.example' })
      await expect(foreign).rejects.toMatchObject({ code: 'invalid_request' })
      await sdk.auth.logout()
      expect(wallet.accounts).toEqual([])
      expect(changes).toEqual([1, 0])
    } finally {
      end()
    }
  })

  test('signs a transaction that verifies, never as a message, and sends it only by a node', async () => {
    const sent: unknown[] = []
    const node = createServer(async (request, response) => {
      const parts: Buffer[] = []
      for await (const part of request) parts.push(part)
      const { id, params } = JSON.parse(Buffer.concat(parts).toString())
      sent.push(params)
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: 'signature' }))
    })
    await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
    const rpc = `http://127.0.0.1:${(node.address() as AddressInfo).port}`
    try {
      const sdk = await loggedIn(app, { rpcUrls: { 'solana-devnet': rpc } })
      const { features } = sdk.solana(announced)
      expect((await loggedIn(app)).solana(announced).features).not.toHaveProperty([
        'solana:signAndSendTransaction',
      ])
      const [account] = (await features['standard:connect'].connect()).accounts
      if (account === undefined) throw new Error('no account')
      const payer = address(account.address)
      const transaction = memoTransaction(payer, account.address as string as Blockhash)
      const [signed] = await features['solana:signTransaction'].signTransaction({ account, transaction })
      const { signatures, messageBytes } = getTransactionDecoder().decode(
        signed?.signedTransaction ?? transaction,
      )
      const signature = signatures[payer]
      if (signature == null) throw new Error('unsigned')
      expect(ed25519.verify(signature, Uint8Array.from(messageBytes), account.publicKey)).toBe(true)

      const asText = { account, transaction: 'AQ==' as unknown as Uint8Array }
      await expect(features['solana:signTransaction'].signTransaction(asText)).rejects.toThrow(
        '`transaction`',
      )
      const elsewhere = features['solana:signTransaction'].signTransaction({
        account,
        transaction,
        chain: 'solana:testnet',
      })
      await expect(elsewhere).rejects.toMatchObject({ message: 'The wallet has no chain solana:testnet.' })

      const asMessage = { account, message: Uint8Array.from(messageBytes) }
      await expect(features['solana:signMessage'].signMessage(asMessage)).rejects.toMatchObject({
        code: 'invalid_payload',
      })
      const send = features['solana:signAndSendTransaction']?.signAndSendTransaction
      const [result] = (await send?.({ account, transaction, chain: 'solana:devnet' })) ?? []
      expect(result?.signature).toEqual(Uint8Array.from(signature))
      expect(sent).toEqual([
        [Buffer.from(signed?.signedTransaction ?? []).toString('base64'), { encoding: 'base64' }],
      ])
    } finally {
      node.close()
    }
  })
})

/** A transaction that writes `hello` by the memo program. */
function memoTransaction(payer: Address, blockhash: Blockhash): Uint8Array<ArrayBuffer> {
  const compiled = pipe(
    createTransactionMessage({ version: 0 }),
    (message) => setTransactionMessageFeePayer(payer, message),
    (message) =>
      setTransactionMessageLifetimeUsingBlockhash({ blockhash, lastValidBlockHeight: 1n }, message),
    (message) =>
      appendTransactionMessageInstruction(
        {
          programAddress: address('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'),
          data: new TextEncoder().encode('hello'),
        },
        message,
      ),
    compileTransaction,
  )
  return Uint8Array.from(getTransactionEncoder().encode(compiled))
}
