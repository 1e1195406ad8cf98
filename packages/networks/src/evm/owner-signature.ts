import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak256 } from '#keccak'
import { fromHex0x, type Hex, toHex, toHex0x } from '../codec/hex.ts'
import { accountBytes, parseAddress } from './address.ts'
import { ethereumPrefix, personalMessage } from './personal-message.ts'

/**
 * An owner's signature over the 32 bytes of an operation's hash as an EIP-191 message, in the one form that the account
 * takes: r‖s‖v of 65 bytes, low s, v 27 or 28 (0 and 1 are mapped). `undefined` for everything else, another signer's
 * included.
 */
export function ownerSignature(signature: Hex, hash: Hex, owner: Hex): Hex | undefined {
  const bytes = fromHex0x(signature, true)
  const message = fromHex0x(hash, true)
  if (bytes?.length !== 65 || message?.length !== 32) return undefined
  const v = bytes[64] ?? 0
  const parity = v === 0 || v === 27 ? 0 : v === 1 || v === 28 ? 1 : undefined
  if (parity === undefined) return undefined
  const digest = keccak256(personalMessage(ethereumPrefix, message))
  const signer = recoverAccount(bytes.subarray(0, 64), parity, digest)
  const expected = parseAddress(owner)
  if (!signer || !expected || toHex(signer) !== toHex(expected)) return undefined
  return `${toHex0x(bytes.subarray(0, 64))}${parity === 0 ? '1b' : '1c'}`
}

/** The 20 address bytes of who signed a digest; `undefined` for r or s out of range and for high s (EIP-2). */
export function recoverAccount(
  compact: Uint8Array,
  parity: number,
  digest: Uint8Array,
): Uint8Array | undefined {
  try {
    const signature = secp256k1.Signature.fromBytes(compact, 'compact')
    if (signature.hasHighS()) return undefined
    return accountBytes(signature.addRecoveryBit(parity).recoverPublicKey(digest).toBytes(true))
  } catch {
    // noble throws where no point or no scalar is: then nobody signed.
    return undefined
  }
}
