import type { Chain } from '../chain.ts'
import { ownValue } from '../own-value.ts'
import { nativeDisplay } from '../preview/amount-display.ts'

/** The native coin as a type, and its fungible-asset metadata in both spellings of the address. */
const nativeIds = ['0x1::aptos_coin::AptosCoin', '0xa', `0x${'a'.padStart(64, '0')}`]

/** Fungible assets of mainnet that nobody else can issue (Circle's and Tether's lists of contracts). */
const knownAssets: Readonly<Record<string, { symbol: string; decimals: number }>> = {
  '0xbae207659db88bea0cbead6da0ed00aac12edcdda169e591cd41c94180b46f3b': { symbol: 'USDC', decimals: 6 },
  '0x357b0b74bc833e95a115ad22604854d6b0fca151cecd94111770e5d6ffc9dc2b': { symbol: 'USDt', decimals: 6 },
}

/** The asset id of a coin type or metadata address: the native symbol, otherwise itself. */
export function assetId(id: string, chain: Chain): string {
  return nativeIds.includes(id) ? chain.nativeAsset.symbol : id
}

/** An amount with its symbol, or `null` where there is none or the bytes do not contain the asset's decimals. */
export function assetDisplay(amount: bigint | null, asset: string | null, chain: Chain): string | null {
  if (amount === null || asset === null) return null
  const { nativeAsset, chainId } = chain
  const listed = chainId === 1 ? ownValue(knownAssets, asset) : undefined
  const known = asset === nativeAsset.symbol ? nativeAsset : listed
  return known ? nativeDisplay(amount, known) : null
}
