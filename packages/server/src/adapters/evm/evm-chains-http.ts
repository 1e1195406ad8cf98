import { evmChainByHandle } from '@symbolon/networks'
import type { ChainMetrics } from '../../ports/chain-metrics.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EvmChain, EvmChains } from '../../ports/evm-chains.ts'
import type { Log } from '../../ports/log.ts'
import { bundlerHttp } from './bundler-http.ts'
import { chainChecked } from './chain-checked.ts'
import { evmRpcHttp } from './evm-rpc-http.ts'
import { type HttpConnections, httpConnections, jsonRpcHttp } from './json-rpc-http.ts'
import { measureCalls } from './measure-call.ts'
import { paymasterHttp } from './paymaster-http.ts'

/** Where one EVM chain is reached. URLs may hold keys. `confirmations` counts the block of a log as the first. */
export type EvmChainAddress = {
  handle: string
  rpcUrls: readonly string[]
  bundlerUrl?: string
  paymasterUrl?: string
  paymasterContext?: Readonly<Record<string, unknown>>
  confirmations: number
}

type Tools = { metrics: ChainMetrics; clock: Clock; log: Log }

/** Wires the chains; nothing is called yet. `close` lets go of kept connections. */
export function evmChainsHttp(
  addresses: readonly EvmChainAddress[],
  tools: Tools,
): { evm: EvmChains; close(): void } {
  const connections = httpConnections()
  const evm = new Map(addresses.map((address) => [address.handle, wire(address, connections, tools)]))
  return { evm, close: connections.close }
}

function wire(
  { handle, rpcUrls, bundlerUrl, paymasterUrl, paymasterContext, confirmations }: EvmChainAddress,
  connections: HttpConnections,
  { metrics, clock, log }: Tools,
): EvmChain {
  const chain = evmChainByHandle(handle)
  if (chain?.network !== 'evm' || typeof chain.chainId !== 'number') {
    throw new TypeError(`"${handle}" is not an EVM chain.`)
  }
  const { chainId } = chain
  const server = (url: string, name: string) => jsonRpcHttp({ url, name, connections })
  const measure = (target: Parameters<typeof measureCalls>[2]) => measureCalls(metrics, handle, target)
  const nodes = rpcUrls.map((url, i) => chainChecked(server(url, `${handle} rpc ${i + 1}`), { chainId, log }))
  return {
    chain,
    chainId,
    rpc: evmRpcHttp({ nodes, measure: measure('rpc'), log }),
    confirmations,
    ...(bundlerUrl !== undefined && {
      bundler: bundlerHttp({
        rpc: chainChecked(server(bundlerUrl, `${handle} bundler`), { chainId, log }),
        measure: measure('bundler'),
        clock,
      }),
    }),
    ...(paymasterUrl !== undefined && {
      paymaster: paymasterHttp({
        rpc: server(paymasterUrl, `${handle} paymaster`),
        measure: measure('paymaster'),
        chainId,
        context: paymasterContext ?? {},
      }),
    }),
  }
}
