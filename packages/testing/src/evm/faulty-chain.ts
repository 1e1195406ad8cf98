import { type DevChain, devContracts, jsonRpc } from '@symbolon/dev/testing/chain'
import { type UserOperation, userOperationJson } from '@symbolon/networks/evm'
import type { EvmChainAddress } from '@symbolon/server/testing/adapters'
import {
  operationFromJson,
  type UserOpTimes,
  withOwnerSignature,
} from '@symbolon/server/testing/transactions'
import { createPublicClient, encodeFunctionData, type Hex, http } from 'viem'
import { entryPoint07Address } from 'viem/account-abstraction'
import { liftRates, makeTenant, type Tenant } from '../app/tenant.ts'
import { startTestApp, type TestApp } from '../app/test-app.ts'
import { ownChain } from '../chain/test-chain.ts'
import { type JsonRpcProxy, jsonRpcProxy } from '../http/json-rpc-proxy.ts'
import {
  built,
  newAccountOwner,
  type SmartAccountOwner,
  signOp,
  submitOp,
  type WireCall,
} from './smart-account-owner.ts'

/** A signed operation, not submitted yet. */
export type Ready = {
  owner: SmartAccountOwner
  hash: Hex
  signature: Hex
  submit(): ReturnType<typeof submitOp>
}

/** A chain of its own with two API processes that reach it through proxies, and ways to look behind them. */
export type FaultyChain = {
  chain: DevChain
  node: JsonRpcProxy
  bundler: JsonRpcProxy
  paymaster: JsonRpcProxy
  /** The node of `local-2`: it takes every call and answers none. */
  hanging: JsonRpcProxy
  app: TestApp
  other: TestApp
  tenant: Tenant
  /** A call that counts. */
  poke(): WireCall
  /** How often it was made. */
  pokes(): Promise<bigint>
  /** Builds and signs, by a fresh account unless one is given. */
  ready(by?: SmartAccountOwner): Promise<Ready>
  stateOf(hash: Hex): Promise<{ state: string; held: number; sends: number; isFollowed: boolean } | undefined>
  /** The stored operation as its bundler gets it. */
  signed(op: Ready): Promise<UserOperation>
  /** Hands an operation to the bundler past the service. */
  toBundler(op: UserOperation): Promise<unknown>
  /** From now on the bundler says that it has taken the operation, and takes none. */
  pretend(hash: Hex): void
  heal(): void
  stop(): Promise<void>
}

const targetAbi = devContracts().DevTarget.abi

/** Starts it all; an ether costs 100 EUR, so that a month holds many operations. */
export async function faultyChain(times?: UserOpTimes): Promise<FaultyChain> {
  const chain = await ownChain()
  const proxies = await startProxies(chain)
  const { node, bundler, paymaster, hanging } = proxies
  hanging.fault('*', { kind: 'hang' })
  const options = {
    chains: wiredThrough(proxies),
    ...(times && { userOpTimes: times }),
    prices: { fixed: new Map([['ETH', 100n * 10n ** 8n]]), feeds: new Map(), deviationMaxPercent: 50 },
  }
  const app = await startTestApp(options)
  const other = await startTestApp({ ...options, installation: app })
  const tenant = await makeTenant(app)
  await liftRates(app)
  const { target } = chain.contracts
  const poke = () => ({ to: target, data: encodeFunctionData({ abi: targetAbi, functionName: 'poke' }) })

  return {
    chain,
    ...proxies,
    app,
    other,
    tenant,
    poke,
    pokes: () =>
      createPublicClient({ transport: http(chain.rpcUrl) }).readContract({
        address: target,
        abi: targetAbi,
        functionName: 'count',
      }) as Promise<bigint>,
    async ready(by) {
      const owner = by ?? (await newAccountOwner(app, tenant))
      const { user_op_hash: hash } = await built(app, owner, [poke()])
      const signature = await signOp(app, owner, hash)
      return { owner, hash, signature, submit: () => submitOp(app, owner, hash, signature) }
    },
    stateOf: (hash) => stateOf(app, hash),
    signed: (op) => signed(app, op),
    toBundler: (op) => toBundler(chain, op),
    pretend: (hash) => bundler.fault('eth_sendUserOperation', { kind: 'answer', result: hash }),
    heal() {
      for (const proxy of [node, bundler, paymaster]) proxy.heal()
    },
    async stop() {
      await other.stop()
      await app.stop()
      for (const proxy of Object.values(proxies)) await proxy.stop()
      await chain.stop()
    },
  }
}

type Proxies = Record<'node' | 'bundler' | 'paymaster' | 'hanging', JsonRpcProxy>

async function startProxies({ rpcUrl, bundlerUrl, paymasterUrl }: DevChain): Promise<Proxies> {
  const [node, hanging, bundler, paymaster] = await Promise.all([
    jsonRpcProxy(rpcUrl),
    jsonRpcProxy(rpcUrl),
    jsonRpcProxy(bundlerUrl),
    jsonRpcProxy(paymasterUrl),
  ])
  return { node, hanging, bundler, paymaster }
}

function wiredThrough({ node, bundler, paymaster, hanging }: Proxies): EvmChainAddress[] {
  return [
    {
      handle: 'local',
      rpcUrls: [node.url],
      bundlerUrl: bundler.url,
      paymasterUrl: paymaster.url,
      confirmations: 2,
    },
    { handle: 'local-2', rpcUrls: [hanging.url], bundlerUrl: hanging.url, confirmations: 2 },
  ]
}

async function stateOf({ sql }: TestApp, hash: Hex) {
  const rows = await sql<{ state: string; held: number; sends: number; isFollowed: boolean }[]>`
    select state, held_micro::int as held, sends, is_followed as "isFollowed" from user_operations
    where hash = ${hash}`
  return rows[0]
}

async function signed({ sql }: TestApp, { hash, signature }: Ready): Promise<UserOperation> {
  const [row] = await sql<{ operation: Record<string, Hex> }[]>`
    select operation from user_operations where hash = ${hash}`
  return withOwnerSignature(operationFromJson(row?.operation ?? {}), signature)
}

async function toBundler({ bundlerUrl }: DevChain, op: UserOperation): Promise<unknown> {
  const rpc = jsonRpc(bundlerUrl)
  try {
    return await rpc.call('eth_sendUserOperation', [userOperationJson(op), entryPoint07Address])
  } finally {
    rpc.close()
  }
}
