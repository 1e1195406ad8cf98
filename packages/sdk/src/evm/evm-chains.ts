import type { Chains } from '../client/chains.ts'
import type { Chain } from '../generated/answers.ts'
import { dataOf, ProviderRpcError, providerCodes } from './provider-error.ts'

/** One EVM chain as the provider names it. */
export type EvmChain = {
  readonly handle: string
  /** 0x hex. */
  readonly chainId: string
  readonly hasRpc: boolean
  readonly hasBundler: boolean
}

/** The platform's EVM chains and which one is chosen. */
export type EvmChains = {
  all(): Promise<readonly EvmChain[]>
  current(): Promise<EvmChain>
  /** The chain of a 0x chain id; undefined for one that the platform does not have. */
  find(chainId: unknown): Promise<EvmChain | undefined>
  choose(chain: EvmChain): void
}

/** The EVM chains, the one of `handle` chosen. Rejects with 4901 where the platform has none. */
export function evmChains(chains: Chains, handle: string | undefined): EvmChains {
  let chosen = handle

  const all = async () => {
    return dataOf(await chains.list())
      .filter(isEvm)
      .map((chain) => ({
        handle: chain.handle,
        chainId: `0x${Number(chain.chain_id).toString(16)}`,
        hasRpc: chain.rpc,
        hasBundler: chain.bundler,
      }))
  }
  return {
    all,
    async current() {
      const known = await all()
      const reached = known.find(({ hasRpc }) => hasRpc) ?? known[0]
      const chain = chosen === undefined ? reached : known.find((one) => one.handle === chosen)
      if (chain === undefined)
        throw new ProviderRpcError(providerCodes.chainDisconnected, 'The platform does not have this chain.')
      return chain
    },
    async find(chainId) {
      if (typeof chainId !== 'string' || !/^0x[0-9a-fA-F]{1,16}$/.test(chainId)) return undefined
      const wanted = `0x${BigInt(chainId).toString(16)}`
      return (await all()).find((chain) => chain.chainId === wanted)
    },
    choose(chain) {
      chosen = chain.handle
    },
  }
}

const isEvm = ({ network, chain_id }: Chain) => network === 'evm' && typeof chain_id === 'number'
