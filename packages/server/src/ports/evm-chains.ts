import type { Chain } from '@symbolon/networks'
import type { Bundler } from './bundler.ts'
import type { EvmRpc } from './evm-rpc.ts'
import type { Paymaster } from './paymaster.ts'

/**
 * One EVM chain that this installation is wired to. `confirmations` is the depth at which a log counts, the block that
 * holds it being the first. A paymaster comes only with a bundler.
 */
export type EvmChain = {
  chain: Chain
  chainId: number
  rpc: EvmRpc
  bundler?: Bundler
  paymaster?: Paymaster
  confirmations: number
}

/** The wired EVM chains by their handle. */
export type EvmChains = ReadonlyMap<string, EvmChain>
