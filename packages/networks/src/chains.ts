import type { Curve, NetworkName } from './network.ts'

/**
 * One chain of a network.
 * `addressName` is the key of this chain's address in a wallet's `addresses`; `chainId` is the id inside
 * the chain's own transactions, `null` where there is none; `caip2` follows the CASA namespaces.
 */
export type Chain = {
  readonly handle: string
  readonly network: NetworkName
  readonly curve: Curve
  readonly chainId: number | string | null
  readonly caip2: string
  readonly addressName: string
  readonly nativeAsset: { readonly symbol: string; readonly decimals: number }
}

/** Every chain that has a handle (docs: decisions, section 3), production networks first within a network. */
export const chains: readonly Chain[] = [
  evmChain('ethereum', 1),
  evmChain('sepolia', 11_155_111),
  evmChain('base', 8453),
  evmChain('base-sepolia', 84_532),
  evmChain('optimism', 10),
  evmChain('arbitrum', 42_161),
  evmChain('polygon', 137, 'POL'),
  evmChain('local', 31_337),
  evmChain('local-2', 31_338),
  chain('bitcoin', 'bitcoin', null, 'bip122:000000000019d6689c085ae165831e93'),
  chain('bitcoin-testnet', 'bitcoin', null, 'bip122:000000000933ea01ad0ee984209779ba', 'bitcoin_testnet'),
  chain('tron', 'tron', 728_126_428, 'tron:0x2b6653dc'),
  chain('tron-nile', 'tron', 3_448_148_188, 'tron:0xcd8690dc'),
  chain('cosmoshub', 'cosmos', 'cosmoshub-4', 'cosmos:cosmoshub-4'),
  {
    ...chain('osmosis', 'cosmos', 'osmosis-1', 'cosmos:osmosis-1', 'osmosis'),
    nativeAsset: asset('OSMO', 6),
  },
  chain('solana', 'solana', null, 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'),
  chain('solana-devnet', 'solana', null, 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'),
  chain('near', 'near', 'mainnet', 'near:mainnet'),
  chain('near-testnet', 'near', 'testnet', 'near:testnet'),
  chain('aptos', 'aptos', 1, 'aptos:1'),
  chain('aptos-testnet', 'aptos', 2, 'aptos:2'),
  chain('stellar', 'stellar', 'pubnet', 'stellar:pubnet'),
  chain('stellar-testnet', 'stellar', 'testnet', 'stellar:testnet'),
]

const byHandle: ReadonlyMap<string, Chain> = new Map(chains.map((entry) => [entry.handle, entry]))

/** The chain of a handle, or `undefined` when no such handle exists. */
export function chainByHandle(handle: string): Chain | undefined {
  return byHandle.get(handle)
}

/** The chain that a message without `chain` is signed for: `ethereum` or `solana` by curve. */
export function defaultChain(curve: Curve): string {
  return curve === 'secp256k1' ? 'ethereum' : 'solana'
}

function evmChain(handle: string, chainId: number, symbol = 'ETH'): Chain {
  return {
    handle,
    network: 'evm',
    curve: 'secp256k1',
    chainId,
    caip2: `eip155:${chainId}`,
    addressName: 'evm',
    nativeAsset: asset(symbol, 18),
  }
}

function chain(
  handle: string,
  network: Exclude<NetworkName, 'evm'>,
  chainId: number | string | null,
  caip2: string,
  addressName: string = network,
): Chain {
  const curve = network === 'bitcoin' || network === 'tron' || network === 'cosmos' ? 'secp256k1' : 'ed25519'
  return { handle, network, curve, chainId, caip2, addressName, nativeAsset: nativeAssetOf(network) }
}

function nativeAssetOf(network: Exclude<NetworkName, 'evm'>): Chain['nativeAsset'] {
  switch (network) {
    case 'bitcoin':
      return asset('BTC', 8)
    case 'tron':
      return asset('TRX', 6)
    case 'cosmos':
      return asset('ATOM', 6)
    case 'solana':
      return asset('SOL', 9)
    case 'near':
      return asset('NEAR', 24)
    case 'aptos':
      return asset('APT', 8)
    case 'stellar':
      return asset('XLM', 7)
  }
}

function asset(symbol: string, decimals: number): Chain['nativeAsset'] {
  return { symbol, decimals }
}
