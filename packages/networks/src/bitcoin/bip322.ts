import { concat } from '../codec/concat.ts'
import { keyHash } from './output-keys.ts'
import { doubleSha256 } from './raw-transaction.ts'
import { taggedHash } from './tagged-hash.ts'

const zeros32 = new Uint8Array(32)
const zeros8 = new Uint8Array(8)
const zeros4 = new Uint8Array(4)
const sighashAll = Uint8Array.of(1, 0, 0, 0)
/** One output of 0 satoshi to OP_RETURN. */
const returnOutput = concat(zeros8, Uint8Array.of(1, 0x6a))

/**
 * The BIP-143 preimage whose double SHA-256 signs a message by BIP-322 "simple" from the key's P2WPKH address.
 * `to_spend` commits to the message, `to_sign` spends it.
 */
export function bip322Preimage(message: Uint8Array, publicKey: Uint8Array): Uint8Array {
  const program = keyHash(publicKey)
  const outpoint = concat(toSpendId(message, program), zeros4)
  const scriptCode = concat(Uint8Array.of(0x19, 0x76, 0xa9, 0x14), program, Uint8Array.of(0x88, 0xac))
  return concat(
    zeros4,
    doubleSha256(outpoint),
    doubleSha256(zeros4),
    outpoint,
    scriptCode,
    zeros8,
    zeros4,
    doubleSha256(returnOutput),
    zeros4,
    sighashAll,
  )
}

/** Transaction id (internal byte order) of BIP-322's `to_spend` for a P2WPKH program. */
export function toSpendId(message: Uint8Array, program: Uint8Array): Uint8Array {
  const messageHash = taggedHash('BIP0322-signed-message', message)
  return doubleSha256(
    concat(
      zeros4,
      Uint8Array.of(1),
      zeros32,
      Uint8Array.of(0xff, 0xff, 0xff, 0xff, 34, 0, 32),
      messageHash,
      zeros4,
      Uint8Array.of(1),
      zeros8,
      Uint8Array.of(22, 0, 20),
      program,
      zeros4,
    ),
  )
}
