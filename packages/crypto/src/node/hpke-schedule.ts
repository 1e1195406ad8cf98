import { createHmac } from 'node:crypto'

/** The key (32 bytes) and nonce (12 bytes) of the only message of an HPKE context; who has them zeroes the key. */
export type HpkeKeys = { key: Uint8Array; nonce: Uint8Array }

const kemId = 0x0010
const kdfId = 0x0001
const aeadId = 0x0002
const keyBytes = 32
const nonceBytes = 12
const hashBytes = 32

const ascii = (text: string): Buffer => Buffer.from(text, 'latin1')
const u16 = (value: number): Buffer => Buffer.of(value >> 8, value & 0xff)
const version = ascii('HPKE-v1')
const kemSuite = Buffer.concat([ascii('KEM'), u16(kemId)])
const suite = Buffer.concat([ascii('HPKE'), u16(kemId), u16(kdfId), u16(aeadId)])
const none = Buffer.alloc(0)
const baseMode = Buffer.of(0)
const first = Buffer.of(1)

/** RFC 9180 section 4, "LabeledExtract". */
function extract(suiteId: Buffer, salt: Uint8Array, label: string, input: Uint8Array): Buffer {
  return createHmac('sha256', salt)
    .update(version)
    .update(suiteId)
    .update(ascii(label))
    .update(input)
    .digest()
}

/** RFC 9180 section 4, "LabeledExpand", of one block: 32 bytes, of which the first are meant when it is to be less. */
function expand(suiteId: Buffer, secret: Uint8Array, label: string, info: Buffer, length: number): Buffer {
  const block = createHmac('sha256', secret).update(u16(length)).update(version).update(suiteId)
  return block.update(ascii(label)).update(info).update(first).digest()
}

/**
 * The key schedule of DHKEM(P-256, HKDF-SHA256), HKDF-SHA256 and AES-256-GCM in base mode (RFC 9180 sections 4.1 and 5.1).
 * Zeroes `dh`, the bare shared secret, and everything between it and the key.
 */
export function keySchedule(
  dh: Uint8Array,
  enc: Uint8Array,
  recipient: Uint8Array,
  info: Uint8Array,
): HpkeKeys {
  const prk = extract(kemSuite, none, 'eae_prk', dh)
  const shared = expand(kemSuite, prk, 'shared_secret', Buffer.concat([enc, recipient]), hashBytes)
  const hashes = [extract(suite, none, 'psk_id_hash', none), extract(suite, none, 'info_hash', info)]
  const context = Buffer.concat([baseMode, ...hashes])
  const secret = extract(suite, shared, 'secret', none)
  const key = expand(suite, secret, 'key', context, keyBytes)
  const nonce = expand(suite, secret, 'base_nonce', context, nonceBytes).subarray(0, nonceBytes)
  for (const bytes of [dh, prk, shared, secret]) bytes.fill(0)
  return { key, nonce }
}
