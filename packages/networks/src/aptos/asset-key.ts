import { sha3 } from '#keccak'
import type { Chain } from '../chain.ts'
import { concat } from '../codec/concat.ts'
import { toHex0x } from '../codec/hex.ts'
import { encodeUtf8 } from '../codec/utf8.ts'
import { assetId } from './assets.ts'

const typeForm = /^0[xX][0-9a-fA-F]{1,64}::[\w:<>, ]+$/
const typeAddress = /(?<=^|[<,] *)0[xX]0*([0-9a-fA-F]{1,64})(?=::)/g

/** 0xa, whose objects the framework alone makes, and the scheme of an object's address that follows from a name (aptos-core, `object.move`). */
const pairCreator = Uint8Array.from({ length: 32 }, (_, index) => (index === 31 ? 10 : 0))
const namedObjectScheme = Uint8Array.of(0xfe)

/** The text of a Move type as decoders write it, from any spelling of its addresses and spaces; `undefined` for what is no type with an address. */
export function typeKey(text: string): string | undefined {
  return isType(text) ? spelledType(text, fullAddress) : undefined
}

/**
 * What a token is compared by: the native asset by its symbol, a coin by the fungible asset that the framework pairs with it: the object of
 * 0xa that is named by the type (aptos-core, `create_and_return_paired_metadata_if_not_exist` of `coin.move`). `undefined` for what has
 * no other spelling.
 */
export function assetKey(text: string, chain: Chain): string | undefined {
  const asset = assetId(text, chain)
  if (asset !== text) return asset
  if (!isType(text)) return undefined
  // `type_info::type_name` writes addresses without their zeros in front.
  const name = spelledType(text, (digits) => `0x${digits}`)
  const metadata = toHex0x(sha3(concat(pairCreator, encodeUtf8(name), namedObjectScheme)))
  return `0x${metadata.slice(2).replace(/^0+/, '')}`
}

/** A list has thousands of names, and most are of other networks: the search is cheaper than the form. */
const isType = (text: string) => text.includes('::') && typeForm.test(text)

function spelledType(text: string, address: (digits: string) => string): string {
  const spelled = text.replace(typeAddress, (_, digits: string) => address(digits.toLowerCase()))
  return /[<>, ]/.test(spelled) ? spelled.replace(/ *([<>,]) */g, '$1').replaceAll(',', ', ') : spelled
}

/** AIP-40: `0x0` to `0xf` short, all others with their 64 digits. */
const fullAddress = (digits: string) => `0x${digits.length === 1 ? digits : digits.padStart(64, '0')}`
