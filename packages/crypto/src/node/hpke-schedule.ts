import { createHmac } from 'node:crypto'

/** The key (32 bytes) and nonce (12 bytes) of the only message of an HPKE context; who has them zeroes the key. */
export type HpkeKeys = { key: Uint8Array; nonce: Uint8Array }

/** The exporter secret (32 bytes) of an HPKE context; who has it zeroes it. */
export type HpkeExporter = { exporter: Uint8Array }

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
const modes = { base: Buffer.of(0), auth: Buffer.of(2) } as const
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
function expand(
  suiteId: Buffer,
  secret: Uint8Array,
  label: string,
  info: Uint8Array,
  length: number,
): Buffer {
  const block = createHmac('sha256', secret).update(u16(length)).update(version).update(suiteId)
  return block.update(ascii(label)).update(info).update(first).digest()
}

/** RFC 9180 section 4.1, the KEM's part: the shared secret that both sides made of `dh`, which is zeroed. `context` is its "kem_context". */
export function kemSecret(dh: Uint8Array, context: Uint8Array): Buffer {
  const prk = extract(kemSuite, none, 'eae_prk', dh)
  const shared = expand(kemSuite, prk, 'shared_secret', context, hashBytes)
  for (const bytes of [dh, prk]) bytes.fill(0)
  return shared
}

/** RFC 9180 section 5.1 from the shared secret on, which is zeroed. */
function schedule(mode: keyof typeof modes, shared: Uint8Array, info: Uint8Array): HpkeKeys & HpkeExporter {
  const hashes = [extract(suite, none, 'psk_id_hash', none), extract(suite, none, 'info_hash', info)]
  const context = Buffer.concat([modes[mode], ...hashes])
  const secret = extract(suite, shared, 'secret', none)
  const key = expand(suite, secret, 'key', context, keyBytes)
  const nonce = expand(suite, secret, 'base_nonce', context, nonceBytes).subarray(0, nonceBytes)
  const exporter = expand(suite, secret, 'exp', context, hashBytes)
  for (const bytes of [shared, secret]) bytes.fill(0)
  return { key, nonce, exporter }
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
  const { exporter, ...keys } = schedule('base', kemSecret(dh, Buffer.concat([enc, recipient])), info)
  exporter.fill(0)
  return keys
}

/** The same in auth mode (RFC 9180 section 5.1.3). `dh` is both agreements, that of the encapsulated key first. */
export const authKeySchedule = (
  dh: Uint8Array,
  { enc, recipient, sender }: Record<'enc' | 'recipient' | 'sender', Uint8Array>,
  info: Uint8Array,
): HpkeKeys & HpkeExporter => schedule('auth', kemSecret(dh, Buffer.concat([enc, recipient, sender])), info)

/** RFC 9180 section 5.3: 32 bytes that both sides of the context have, for this purpose. */
export const exportedSecret = ({ exporter }: HpkeExporter, purpose: string): Uint8Array =>
  expand(suite, exporter, 'sec', ascii(purpose), hashBytes)
