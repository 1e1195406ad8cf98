import { hash } from 'node:crypto'

const blockBytes = 64
const info = Buffer.from('symbolon agent token key v1\x01', 'latin1')
const noSalt = new Uint8Array(0)
const digest = Buffer.allocUnsafeSlow(32)

/**
 * The 32 bytes by which an agent session's token (`as_live_…`) opens the session's grant in the enclave: HKDF-SHA256 (RFC 5869) of the
 * token's ASCII, without salt. They reveal nothing about the stored hash of the token, nor does that hash about them.
 */
export function agentTokenKey(token: string): Uint8Array {
  const key = new Uint8Array(32)
  const extracted = new Uint8Array(32)
  hmac(noSalt, Buffer.from(token, 'latin1'), extracted)
  // One block of output: expanding is one more HMAC, of the info and the block's number.
  hmac(extracted, info, key)
  extracted.fill(0)
  return key
}

/**
 * HMAC-SHA256 (RFC 2104) under a key of at most one block. By one-shot hashes: every request of an agent comes here, and the
 * objects that node's own HKDF and HMAC make each time cost more at their collection than the hashing.
 */
function hmac(key: Uint8Array, message: Uint8Array, out: Uint8Array): void {
  const inner = new Uint8Array(blockBytes + message.length).fill(0x36, 0, blockBytes)
  const outer = new Uint8Array(blockBytes + digest.length).fill(0x5c, 0, blockBytes)
  for (let i = 0; i < key.length; i++) {
    inner[i] = (key[i] ?? 0) ^ 0x36
    outer[i] = (key[i] ?? 0) ^ 0x5c
  }
  inner.set(message, blockBytes)
  digest.write(hash('sha256', inner, 'binary'), 'latin1')
  outer.set(digest, blockBytes)
  digest.write(hash('sha256', outer, 'binary'), 'latin1')
  out.set(digest)
  digest.fill(0)
}
