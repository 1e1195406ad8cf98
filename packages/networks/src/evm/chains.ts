import { type Chain, chainsOf } from '../chain.ts'

/** A rollup's gas is cheap: 0.005 ETH. */
const rollup = { feeCeiling: 5n * 10n ** 15n }

/** The chains of EVM that have a handle, production networks first. */
export const evmChains: readonly Chain[] = chainsOf(
  { network: 'evm', curve: 'secp256k1', nativeAsset: { symbol: 'ETH', decimals: 18 } },
  [
    { handle: 'ethereum', chainId: 1 },
    { handle: 'sepolia', isTest: true, chainId: 11_155_111 },
    { handle: 'base', chainId: 8453, ...rollup },
    { handle: 'base-sepolia', isTest: true, chainId: 84_532 },
    { handle: 'optimism', label: 'OP Mainnet', chainId: 10, ...rollup },
    { handle: 'arbitrum', label: 'Arbitrum One', chainId: 42_161, ...rollup },
    {
      handle: 'polygon',
      chainId: 137,
      nativeAsset: { symbol: 'POL', decimals: 18 },
      feeCeiling: 5n * 10n ** 18n,
    },
    { handle: 'local', label: 'Local chain', isTest: true, chainId: 31_337 },
    { handle: 'local-2', label: 'Second local chain', isTest: true, chainId: 31_338 },
  ],
).map((chain) => ({ ...chain, caip2: `eip155:${chain.chainId}` }))

/** The chain of EVM of a handle, or `undefined` where the handle is another network's or nobody's. */
export function evmChainByHandle(handle: string): Chain | undefined {
  return evmChains.find((chain) => chain.handle === handle)
}
