import type { Chain } from '../chain.ts'

/** The chains of EVM that have a handle, production networks first. */
export const evmChains: readonly Chain[] = [
  evmChain('ethereum', 1),
  evmChain('sepolia', 11_155_111),
  evmChain('base', 8453),
  evmChain('base-sepolia', 84_532),
  evmChain('optimism', 10),
  evmChain('arbitrum', 42_161),
  evmChain('polygon', 137, 'POL'),
  evmChain('local', 31_337),
  evmChain('local-2', 31_338),
]

/** The chain of EVM of a handle, or `undefined` where the handle is another network's or nobody's. */
export function evmChainByHandle(handle: string): Chain | undefined {
  return evmChains.find((chain) => chain.handle === handle)
}

function evmChain(handle: string, chainId: number, symbol = 'ETH'): Chain {
  return {
    handle,
    network: 'evm',
    curve: 'secp256k1',
    chainId,
    caip2: `eip155:${chainId}`,
    addressName: 'evm',
    nativeAsset: { symbol, decimals: 18 },
  }
}
