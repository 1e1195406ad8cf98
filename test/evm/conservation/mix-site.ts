import type { DevChain, DevChainHandle } from '@symbolon/dev/testing/chain'
import { liftRates, makeTenant, startTestApp, type Tenant, type TestApp } from '@symbolon/testing/app'
import { ownChain } from '@symbolon/testing/chain'
import { advanceClock } from '@symbolon/testing/database'
import { newAccountOwner, provisioned, type SmartAccountOwner } from '@symbolon/testing/evm'
import { type JsonRpcProxy, jsonRpcProxy } from '@symbolon/testing/http'
import { depositOf } from './deposit-of.ts'

/** One chain of a mix: what is done on it is done in one line, beside that of the other chain. */
export type Lane = {
  app: TestApp
  tenant: Tenant
  chain: DevChain
  bundler: JsonRpcProxy
  paymaster: JsonRpcProxy
  /** Accounts of the same wallets as in the other lane. */
  owners: SmartAccountOwner[]
  /** The paymaster's deposit in the EntryPoint at the beginning, in wei. */
  depositBefore: bigint
}

/** Two chains with everything between them and one API process that can be made to lie or fail. */
export type MixSite = { app: TestApp; lanes: Lane[]; stop(): Promise<void> }

/** EUR x 10^8 per ETH: many digits, so that almost every cost has to be rounded; low enough for a month of many. */
export const priceEurE8 = 23_141_592_653n

/** Before the month ends, by the database's clock. */
export const monthEndsInMs = 5 * 60_000

const walletsMax = 4
const handles: DevChainHandle[] = ['local', 'local-2']

/** Starts it, five minutes before a month ends, with wallets that have an account on both chains. */
export async function startMixSite(): Promise<MixSite> {
  const parts = await Promise.all(
    handles.map(async (handle) => {
      const chain = await ownChain({ handle })
      const [bundler, paymaster] = await Promise.all([
        jsonRpcProxy(chain.bundlerUrl),
        jsonRpcProxy(chain.paymasterUrl),
      ])
      return { chain, bundler, paymaster, depositBefore: await depositOf(chain) }
    }),
  )
  const app = await startTestApp({
    chains: parts.map(({ chain, bundler, paymaster }) => ({
      handle: chain.handle,
      rpcUrls: [chain.rpcUrl],
      bundlerUrl: bundler.url,
      paymasterUrl: paymaster.url,
      confirmations: 2,
    })),
    prices: { fixed: new Map([['ETH', priceEurE8]]), feeds: new Map(), deviationMaxPercent: 50 },
    userOpTimes: { waitMs: 1_000, resendSeconds: 0.5, roundMs: 200 },
  })
  const now = new Date()
  const nextMonth = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)
  await advanceClock(app.sql, nextMonth - monthEndsInMs - now.getTime())
  await liftRates(app)
  const tenant = await makeTenant(app)
  const lanes = parts.map((part): Lane => ({ ...part, app, tenant, owners: [] }))
  for (let i = 0; i < walletsMax; i++) {
    const first = await newAccountOwner(app, tenant, handles[0])
    for (const { chain, owners } of lanes) {
      owners.push(chain.handle === first.chain ? first : await provisioned(app, tenant, first, chain.handle))
    }
  }
  return {
    app,
    lanes,
    async stop() {
      await app.stop()
      await Promise.all(
        parts.map(async ({ chain, bundler, paymaster }) => {
          await Promise.all([bundler.stop(), paymaster.stop()])
          await chain.stop()
        }),
      )
    },
  }
}
