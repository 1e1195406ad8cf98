import { displayAddress } from '../aptos/address.ts'
import type { Chain } from '../chains.ts'
import { fromBase58Check, toBase58Check } from '../codec/base58.ts'
import { isBech32 } from '../codec/bech32.ts'
import { fromHex } from '../codec/hex.ts'
import { checksumAddress } from '../evm/address.ts'
import { readStrkey, strkey } from '../stellar/strkey.ts'

const hexNumber = /^0[xX]0*([0-9a-fA-F]{1,64})$/
const keyNumber = /^0x([0-9a-f]{1,64})$/
const hexText = /^[0-9a-fA-F]+$/
/** An account of EVM, one of Tron, an implicit one of Near. */
const bareLengths: readonly number[] = [40, 42, 64]
const bech32Text = /^(?:bc|tb|cosmos|osmo)(?:valoper)?1[0-9a-z]+$/i
const tronPrefix = 0x41
/** Versions of Bitcoin's base58 addresses: those of the test network, and the same script's of the main one. */
const mainVersions: Readonly<Record<number, number>> = { 111: 0, 196: 5 }

/**
 * What addresses, recipients and tokens of policies and payloads are compared by: equal for two texts exactly when they
 * name the same account. Hex numbers (EVM, Aptos in its long and short form) without case and leading zeros, 40 bare digits as the
 * account of EVM (nobody can make a Near account of such a name any more: NEP-492), Tron's hexadecimal form as T…, a muxed
 * Stellar account (M…, SEP-23) as the account that holds it, bech32 in lower case, and a script of Bitcoin's test network
 * as that of the main one, since the bytes name neither. Anything else is itself.
 */
export function addressKey(text: string): string {
  const number = hexNumber.exec(text)
  if (number) return hexKey(number[1] ?? '')
  if (text.length === 69 && text.startsWith('M')) return stellarKey(text)
  if (bareLengths.includes(text.length) && hexText.test(text)) return bareHexKey(text)
  if (bech32Text.test(text)) return bech32Key(text)
  return /^[mn2]/.test(text) && text.length >= 26 && text.length <= 35 ? base58Key(text) : text
}

/**
 * What a key of a chain's tokens stands for, as decoders and people write it: EIP-55 on EVM, AIP-40 on Aptos, all 40 digits
 * of an account of Near that has an EVM address for its name. Every other key is a name by itself.
 */
export function addressOfKey(key: string, { network }: Pick<Chain, 'network'>): string {
  const [, digits] = keyNumber.exec(key) ?? []
  if (digits === undefined) return key
  if (network === 'aptos') return displayAddress(bytesOf(digits, 64))
  if (digits.length > 40) return key
  if (network === 'near') return `0x${digits.padStart(40, '0')}`
  return network === 'evm' ? checksumAddress(bytesOf(digits, 40)) : key
}

function bytesOf(digits: string, length: number): Uint8Array {
  return fromHex(digits.padStart(length, '0')) ?? new Uint8Array(length / 2)
}

function hexKey(digits: string): string {
  return tronKey(digits) ?? `0x${digits.toLowerCase()}`
}

/** 64 digits are an implicit account of Near. */
function bareHexKey(text: string): string {
  if (text.length === 40) return addressKey(`0x${text}`)
  return tronKey(text) ?? text.toLowerCase()
}

/** 42 digits that begin with 41 are Tron's, as its nodes write addresses. */
function tronKey(digits: string): string | undefined {
  if (digits.length !== 42) return undefined
  const bytes = fromHex(digits, true)
  return bytes?.[0] === tronPrefix ? toBase58Check(tronPrefix, bytes.subarray(1)) : undefined
}

function stellarKey(text: string): string {
  const key = readStrkey('muxedAccount', text)
  return key ? strkey('account', key.subarray(0, 32)) : text
}

/** Lower and upper case are one address, mixed case is none (BIP-173); the checksum depends on the prefix. */
function bech32Key(text: string): string {
  const lower = text.toLowerCase()
  if (text !== lower && text !== text.toUpperCase()) return text
  const prefix = lower.slice(0, 2)
  if (prefix !== 'bc' && prefix !== 'tb') return lower
  const isAddress = isBech32(prefix, lower) || isBech32(prefix, lower, 'bech32m')
  return isAddress ? `bc${lower.slice(2, -6)}` : text
}

function base58Key(text: string): string {
  const { version = -1, payload } = fromBase58Check(text) ?? {}
  const main = mainVersions[version]
  return main === undefined || payload?.length !== 20 ? text : toBase58Check(main, payload)
}
