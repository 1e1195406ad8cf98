import { type Chain, chainsOf } from '../chain.ts'

/** The chains of Bitcoin, the production network first. */
export const bitcoinChains: readonly Chain[] = chainsOf(
  {
    network: 'bitcoin',
    curve: 'secp256k1',
    nativeAsset: { symbol: 'BTC', decimals: 8 },
    feeCeiling: 100_000n,
  },
  [
    { handle: 'bitcoin', caip2: 'bip122:000000000019d6689c085ae165831e93' },
    {
      handle: 'bitcoin-testnet',
      isTest: true,
      caip2: 'bip122:000000000933ea01ad0ee984209779ba',
      addressName: 'bitcoin_testnet',
    },
  ],
)
