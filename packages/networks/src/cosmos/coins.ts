import type { Chain } from '../chain.ts'
import { protoSchema, text } from '../codec/protobuf/proto-type.ts'
import { invalidPayload } from '../network-error.ts'
import { nativeDisplay } from '../preview/amount-display.ts'

/** cosmos.base.v1beta1.Coin as it stands in the bytes. */
export const coinSchema = protoSchema({ denom: text, amount: text })

/** A coin of a message, not yet checked. */
export type RawCoin = { readonly denom: string; readonly amount: string }

/** An amount of an asset; `display` and `label` are for people, `display` is `null` where the decimals are not known. */
export type Coin = {
  readonly asset: string
  readonly amount: bigint
  readonly display: string | null
  readonly label: string
}

const denomShape = /^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$/
const amountShape = /^(?:0|[1-9][0-9]{0,77})$/

/**
 * Tokens that came over channels whose other side is beyond doubt, by chain: `ibc/` and the SHA-256 of
 * `transfer/channel-…/denom` (ICS-20).
 */
const knownDenoms: Readonly<Record<string, ReadonlyMap<string, string>>> = {
  cosmoshub: new Map([
    ['ibc/14F9BC3E44B8A9C1BE1FB08980FAB87034C9905EF17CF2F5008FC085218811CC', 'OSMO'],
    ['ibc/F663521BF1836B00F5F177680F74BFB9A8B5654A694D0D2BC249E03CF2509013', 'USDC'],
  ]),
  osmosis: new Map([
    ['ibc/27394FB092D2ECCD56123C74F36E4C1F926001CEADA9CA97EA622B25F41E5EB2', 'ATOM'],
    ['ibc/498A0751C798A0D9A389AA3691123DADA57DAA4FE165D5C75894505B876BA6E4', 'USDC'],
  ]),
}
/** All known ones have six. */
const decimals = 6

/** A coin of a message; a malformed denom or amount (the chains take `+7` and `007` as well) is `invalid_payload`. */
export function checkedCoin(coin: RawCoin | undefined, chain: Chain): Coin {
  // A denom that is spelled like the native symbol would read as the native asset.
  if (coin === undefined || !denomShape.test(coin.denom) || coin.denom === chain.nativeAsset.symbol)
    throw invalidPayload('A coin of the transaction is malformed.')
  const amount = checkedAmount(coin.amount)
  const symbol = symbolOf(coin.denom, chain)
  const display = symbol === undefined ? null : nativeDisplay(amount, { symbol, decimals })
  return { asset: assetOf(coin.denom, chain), amount, display, label: display ?? `${amount} ${coin.denom}` }
}

/** An amount in decimal digits, without sign or leading zeros. */
export function checkedAmount(text: string): bigint {
  if (!amountShape.test(text)) throw invalidPayload('An amount of the transaction is malformed.')
  return BigInt(text)
}

/** The id of a denom as an asset: the native symbol, otherwise itself. */
export function assetOf(denom: string, { nativeAsset }: Chain): string {
  return denom === nativeDenom(nativeAsset) ? nativeAsset.symbol : denom
}

function symbolOf(denom: string, { handle, nativeAsset }: Chain): string | undefined {
  if (denom === nativeDenom(nativeAsset)) return nativeAsset.symbol
  return knownDenoms[handle]?.get(denom)
}

/** `uatom`, `uosmo`: a millionth. */
function nativeDenom({ symbol }: Chain['nativeAsset']): string {
  return `u${symbol.toLowerCase()}`
}
