import { fromBase58, fromBase58Check } from '../codec/base58.ts'
import { isBech32 } from '../codec/bech32.ts'
import { isAccountId } from '../near/account-id.ts'
import { readStrkey } from '../stellar/strkey.ts'

/** EVM, and Aptos with or without a module and type. */
const hexName = /^0[xX][0-9a-fA-F]{1,64}(?:::\S+)?$/
/** EVM without 0x, Tron as its nodes write it, implicit accounts of Near. */
const bareHexName = /^(?:[0-9a-fA-F]{40}|41[0-9a-fA-F]{40}|[0-9a-fA-F]{64})$/
const ownBech32 = /^(bc|tb|(?:cosmos|osmo)(?:valoper)?)1[0-9a-z]+$/
/** Denoms of tokens that came from another chain or a factory: `ibc/…`, `factory/…`. */
const denom = /^[a-zA-Z][a-zA-Z0-9._-]*\/[a-zA-Z0-9/:._-]+$/
/** Versions of Bitcoin's and Tron's base58 addresses. */
const base58Versions: readonly number[] = [0, 5, 111, 196, 0x41]

/**
 * Whether a text could name an account, contract or token on one of the networks, in a spelling that `addressKey` compares by:
 * with its checksum where its form has one, but that of capitals (EIP-55). A list that blocks by another text would block nobody:
 * an address behind `eip155:1:` or `bitcoin:`, an ICAP, a mistyped one. In lower case, most are a possible name of Near.
 */
export function isAccountName(text: string): boolean {
  if (/^0x/i.test(text)) return hexName.test(text)
  if (bareHexName.test(text) || denom.test(text)) return true
  const lower = text === text.toUpperCase() ? text.toLowerCase() : text
  const [, prefix] = ownBech32.exec(lower) ?? []
  if (prefix !== undefined) return isBech32(prefix, lower) || isBech32(prefix, lower, 'bech32m')
  if (isAccountId(text) || isStellar(text)) return true
  // Base58 takes time that grows with the square of the length.
  return text.length <= 44 && (fromBase58(text)?.length === 32 || isBase58Address(text))
}

function isStellar(text: string): boolean {
  const [, issuer = text] = /^[a-zA-Z0-9]{1,12}:(G.+)$/.exec(text) ?? []
  return (['account', 'contract', 'muxedAccount'] as const).some((kind) => readStrkey(kind, issuer))
}

function isBase58Address(text: string): boolean {
  const { version = -1, payload } = fromBase58Check(text) ?? {}
  return base58Versions.includes(version) && payload?.length === 20
}
