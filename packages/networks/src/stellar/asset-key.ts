import { sha256 } from '#sha2'
import type { Chain } from '../chain.ts'
import { concat } from '../codec/concat.ts'
import { fromHex } from '../codec/hex.ts'
import { issuedContract, issuedXdr, nativeContract } from './asset-contract.ts'
import { knownAssets } from './assets.ts'
import { strkey } from './strkey.ts'

const poolForm = /^([^/]+)\/([^/]+)\/(\d{1,9})$/
const poolHexForm = /^[0-9a-fA-F]{64}$/

/**
 * What a token of a chain is compared by: an issued asset (`CODE:ISSUER`) by its contract (C…), the native one by its symbol whether it is
 * called `native` or by its contract, the shares of a pool by its id (L…), from `a/b/fee` or hex. `undefined` for what has no other spelling.
 */
export function assetKey(text: string, chain: Chain): string | undefined {
  const { symbol } = chain.nativeAsset
  if (text === 'native' || text === symbol) return symbol
  if (text.startsWith('C') && text.length === 56) return text === nativeContract(chain) ? symbol : undefined
  // A list has thousands of names, and most are of other networks.
  return (text.includes(':') ? issuedContract(text, chain) : undefined) ?? poolKey(text, chain)
}

/** What an asset whose issuer is beyond doubt is called, by its contract on that chain. */
export function assetOfKey(key: string, chain: Chain): string | undefined {
  if (!key.startsWith('C')) return undefined
  return knownAssets(chain).find((id) => issuedContract(id, chain) === key)
}

/** The id of a liquidity pool (L…): the hash of its LiquidityPoolParameters, constant product of two assets with a fee (CAP-38). */
function poolKey(text: string, chain: Chain): string | undefined {
  const hex = text.length === 64 && poolHexForm.test(text) ? fromHex(text, true) : undefined
  if (hex) return strkey('liquidityPool', hex)
  if (!text.includes('/')) return undefined
  const [, one = '', other = '', fee = ''] = poolForm.exec(text) ?? []
  const [a, b] = [one, other].map((id) => poolAssetXdr(id, chain))
  if (a === undefined || b === undefined) return undefined
  const ending = new Uint8Array(4)
  new DataView(ending.buffer).setInt32(0, Number(fee))
  return strkey('liquidityPool', sha256(concat(new Uint8Array(4), a, b, ending)))
}

function poolAssetXdr(id: string, { nativeAsset: { symbol } }: Chain): Uint8Array | undefined {
  return id === 'native' || id === symbol ? new Uint8Array(4) : issuedXdr(id)
}
