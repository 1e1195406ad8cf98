import type { Chain } from '../chain.ts'

/** The chains of EVM that have a handle, production networks first. */
export const evmChains: readonly Chain[] = [
  evmChain('ethereum', 'Ethereum', 1),
  evmChain('sepolia', 'Sepolia', 11_155_111, { isTest: true }),
  evmChain('base', 'Base', 8453),
  evmChain('base-sepolia', 'Base Sepolia', 84_532, { isTest: true }),
  evmChain('optimism', 'OP Mainnet', 10),
  evmChain('arbitrum', 'Arbitrum One', 42_161),
  evmChain('polygon', 'Polygon', 137, { nativeAsset: { symbol: 'POL', decimals: 18 } }),
  evmChain('local', 'Local chain', 31_337, { isTest: true }),
  evmChain('local-2', 'Second local chain', 31_338, { isTest: true }),
]

/** The chain of EVM of a handle, or `undefined` where the handle is another network's or nobody's. */
export function evmChainByHandle(handle: string): Chain | undefined {
  return evmChains.find((chain) => chain.handle === handle)
}

function evmChain(
  handle: string,
  label: string,
  chainId: number,
  own: Pick<Chain, 'isTest'> & Partial<Pick<Chain, 'nativeAsset'>> = {},
): Chain {
  return {
    handle,
    label,
    network: 'evm',
    curve: 'secp256k1',
    chainId,
    caip2: `eip155:${chainId}`,
    addressName: 'evm',
    nativeAsset: { symbol: 'ETH', decimals: 18 },
    ...own,
  }
}
