const groups = '(?:[A-Za-z0-9+/]{4})*'
const tail = '(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?'

/** Padded base64 in its only spelling (RFC 4648, 4). */
export const base64Form = new RegExp(`^${groups}${tail}$`)
/** Whole bytes in 0x hex. */
export const hexForm = /^0x(?:[0-9a-fA-F]{2})*$/
/** 32 bytes in 0x hex. */
export const hex32Form = /^0x[0-9a-fA-F]{64}$/
/** 20 bytes in 0x hex; a checksum is not asked for. */
export const evmAddressForm = /^0x[0-9a-fA-F]{40}$/
/** An Ethereum quantity of 64 bits: 0x hex without leading zeros. */
export const quantity64Form = /^0x(?:0|[1-9a-fA-F][0-9a-fA-F]{0,15})$/
/** An Ethereum quantity of 256 bits. */
export const quantity256Form = /^0x(?:0|[1-9a-fA-F][0-9a-fA-F]{0,63})$/
/** 32 bytes in base58, as far as a pattern can tell. */
export const base58KeyForm = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/
/** A decimal amount of at most 78 digits. */
export const amountForm = /^(?:0|[1-9][0-9]{0,77})$/
/** What every network's serialized form is at least: 0x hex, bare hex (Tron) or base64; never empty. */
export const serializedForm = new RegExp(
  `^(?:0x(?:[0-9a-fA-F]{2})+|(?:[0-9a-fA-F]{2})+|(?!$)${groups}${tail})$`,
)
