import { setTimeout as sleep } from 'node:timers/promises'
import type { SignResponse, Wallet } from '@symbolon/api'
import { devContracts, jsonRpc } from '@symbolon/dev/testing/chain'
import { encodeFunctionData, type Hex, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { login, makeTenant, makeWallet, type Tenant, type User } from '../app/tenant.ts'
import { type Answer, startTestApp, type TestApp } from '../app/test-app.ts'
import { ownChain } from '../chain/test-chain.ts'
import { jsonRpcProxy } from '../http/json-rpc-proxy.ts'

/** A user with an EVM wallet. */
export type WalletOwner = { user: User; wallet: Wallet; address: Hex }

/** What a preparation answers. */
export type PreparedTx = Record<
  | 'chain'
  | 'chain_id'
  | 'nonce'
  | 'from'
  | 'to'
  | 'data'
  | 'value'
  | 'gas_limit'
  | 'max_fee_per_gas'
  | 'max_priority_fee_per_gas',
  Hex
>

/** What a broadcast answers. */
export type SentTx = { chain: string; chain_id: Hex; tx_hash: Hex }

/** Somebody whose wallet is none of ours. */
export const stranger = privateKeyToAccount(`0x${'1'.padStart(64, '0')}`)

/** The stored types of the events of transactions. */
export const txEventTypes = { prepared: 1, broadcast: 2 }

/** The status, with the code of an error. */
export const codeOf = ({ status, error }: Answer<unknown>): number | string =>
  error === null ? status : `${status} ${error.code}`

/** The fixture of the tests of transactions. */
export type TransactionFixture = Awaited<ReturnType<typeof startTransactionFixture>>

/** An API process before a chain of its own, behind a proxy that can fail, and what its users do. */
export async function startTransactionFixture() {
  const chain = await ownChain({ withBundler: false })
  const proxy = await jsonRpcProxy(chain.rpcUrl)
  const node = jsonRpc(chain.rpcUrl)
  const wired = () => [{ handle: 'local', rpcUrls: [proxy.url], confirmations: 2 }]
  const app = await startTestApp({ chains: wired() })
  const tenant = await makeTenant(app)

  return {
    chain,
    proxy,
    node,
    wired,
    app,
    tenant,
    ...userSteps(app, tenant),

    async newOwner(wei = parseEther('1')): Promise<WalletOwner> {
      const user = await login(app, tenant)
      const wallet = await makeWallet(app, user)
      const address = wallet.address as Hex
      if (wei > 0n) await chain.fund(address, wei)
      return { user, wallet, address }
    },

    /** A call of the contract that fails in every way. */
    call: (functionName: string, args: unknown[] = []) => ({
      to: chain.contracts.target,
      data: encodeFunctionData({ abi: devContracts().DevTarget.abi, functionName, args }),
    }),

    /** Mined at once, but not before the answer to its sender. */
    async receiptOf(hash: Hex): Promise<unknown> {
      for (let i = 0; i < 200; i++) {
        const receipt = await node.call('eth_getTransactionReceipt', [hash])
        if (receipt !== null) return receipt
        await sleep(10)
      }
      return undefined
    },

    async stop() {
      node.close()
      await app.stop()
      await proxy.stop()
      await chain.stop()
    },
  }
}

/** The calls of users about transactions on `local`, and their events. */
function userSteps(app: TestApp, tenant: Tenant) {
  const prepare = ({ user }: { user: User }, json: Record<string, unknown>): Promise<Answer<PreparedTx>> =>
    app.call('POST', '/v1/wallets/evm/prepare-tx', { ...user, json: { chain: 'local', ...json } })

  /** Signs by the backend, which is limited less than users are. */
  async function sign({ wallet }: WalletOwner, prepared: Partial<PreparedTx>, handle = 'local') {
    const { chain: _, from: _f, ...transaction } = prepared
    const { data, text } = await app.call<SignResponse>('POST', '/v1/s2s/sign', {
      sk: tenant.sk,
      json: { type: 'transaction', chain: handle, transaction, wallet_id: wallet.id },
    })
    if (data === null) throw new Error(`The signature answered ${text}`)
    return { raw: data.signed_transaction as Hex, hash: data.transaction_hash as Hex }
  }

  return {
    prepare,
    sign,

    broadcast: ({ user }: { user: User }, raw_tx: unknown): Promise<Answer<SentTx>> =>
      app.call('POST', '/v1/wallets/evm/broadcast-tx', { ...user, json: { chain: 'local', raw_tx } }),

    async signedTransfer(owner: WalletOwner, change: Partial<PreparedTx> = {}) {
      const { data, text } = await prepare(owner, { to: stranger.address, value: '1', gas_limit: '21000' })
      if (data === null) throw new Error(`The preparation answered ${text}`)
      return sign(owner, { ...data, ...change })
    },

    eventsOf: async ({ wallet }: WalletOwner) =>
      app.sql`select type, success, error_code, actor_type, actor_id, payload from audit_events
        where wallet_id = ${wallet.id} and type in (1, 2) order by n`,
  }
}
