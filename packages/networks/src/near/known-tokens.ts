/** NEP-141 tokens whose symbol and decimals are beyond doubt, by contract. */
export const knownTokens: Readonly<Record<string, { readonly symbol: string; readonly decimals: number }>> = {
  'wrap.near': { symbol: 'wNEAR', decimals: 24 },
  'wrap.testnet': { symbol: 'wNEAR', decimals: 24 },
  'usdt.tether-token.near': { symbol: 'USDt', decimals: 6 },
  '17208628f84f5d6ad33f0da3bbbeb27ffcb398eac501a31bd6ad2011e36133a1': { symbol: 'USDC', decimals: 6 },
}
