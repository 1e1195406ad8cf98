import { byteReader } from '../codec/byte-reader.ts'
import { unlessRefused } from '../network-error.ts'

const account = /^[a-z0-9._-]{2,64}$/
/** Prefix of NEP-366 delegate actions: 2^30 + 366. */
const delegateTag = Uint8Array.of(0x6e, 0x01, 0x00, 0x40)

/** Whether bytes start with a borsh Near transaction (version 0 or 1) or a signable delegate action. */
export function looksLikeNearTransaction(bytes: Uint8Array): boolean {
  if (delegateTag.every((byte, index) => bytes[index] === byte)) return true
  return transactionAt(bytes, 0) || (bytes[0] === 1 && transactionAt(bytes, 1))
}

/** signer, public key (ed25519 or secp256k1), nonce, receiver, block hash. */
function transactionAt(bytes: Uint8Array, start: number): boolean {
  const reader = byteReader(bytes, start)
  const isTransaction = unlessRefused(() => {
    if (!account.test(reader.sizedText())) return false
    const keyType = reader.u8()
    if (keyType > 1) return false
    reader.bytes(keyType === 0 ? 32 : 64)
    reader.bytes(8)
    if (!account.test(reader.sizedText())) return false
    reader.bytes(32)
    return true
  })
  return isTransaction ?? false
}
