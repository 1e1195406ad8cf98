import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import {
  type AttestationAnswer,
  attestationUserData,
  canonicalJson,
  type EnclaveImage,
  type EnclaveKey,
  jwkThumbprint,
  type KeyAttestationAnswer,
  manifestSha256,
  type PublicJwk,
  type Receipt,
  receiptKeyNonce,
} from '@symbolon/crypto/attestation'
import {
  type DocumentInput,
  simulatedChain,
  simulatedDocument,
  simulatedMeasurements,
  simulatedRoot,
} from '@symbolon/dev/testing/attestation'
import { sampleReceipt } from './sample-receipt.ts'

/** One boot of a simulated enclave: what it answers, and what it signs. */
export type SimulatedBoot = {
  /** The root certificate (DER), as `dev.json` names it. */
  readonly root: Uint8Array
  readonly ringId: string
  /** PCR index to hex. */
  readonly measurements: Readonly<Record<number, string>>
  /** The receipt key's. */
  readonly kid: string
  /** What `GET /v1/attestation` answers; `change` makes the document a bad one, `state` the answer that it commits to. */
  attestation(nonce: Uint8Array, input?: BootInput): AttestationAnswer
  /** What `GET /v1/attestation/keys/{kid}` answers for the receipt key. */
  keyAttestation(input?: BootInput): KeyAttestationAnswer
  /** A receipt as the enclave signs it, with other claims where wanted. */
  receipt(claims?: Partial<Receipt>): string
  /** Any JWS of the receipt key. */
  signed(header: object, payload: unknown): string
}

/** What a test changes: the document, or the state that it commits to. */
export type BootInput = Partial<DocumentInput> & {
  readonly state?: Partial<Pick<AttestationAnswer, 'ring_id' | 'image' | 'keys' | 'manifest'>>
  readonly nonce?: Uint8Array
}

const hex = (bytes: Uint8Array | undefined): string =>
  Buffer.from(bytes ?? new Uint8Array(48)).toString('hex')

/** Boots: makes root, chain and keys. The ring is another one each time. */
export function simulatedBoot(nowMs: number = Date.now()): SimulatedBoot {
  const root = simulatedRoot(nowMs)
  const chain = simulatedChain(root, nowMs)
  const channel = generateKeyPairSync('x25519')
  const receipts = generateKeyPairSync('ed25519')
  const ringId = keyOf('receipt', generateKeyPairSync('ed25519').publicKey).kid
  const receiptKey = keyOf('receipt', receipts.publicKey)
  const importKey = keyOf('import', generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey)
  const own = {
    ring_id: ringId,
    image: imageOf(simulatedMeasurements),
    keys: [keyOf('channel', channel.publicKey), importKey, receiptKey],
    manifest: { version: 1, ring_id: ringId, images: [], signatures: [] },
  }
  const publicKey = rawKey(channel.publicKey)

  const attestation: SimulatedBoot['attestation'] = (nonce, { state, nonce: otherNonce, ...input } = {}) => {
    const { manifest, ...shown } = { ...own, ...state }
    const userData = attestationUserData({ ...shown, manifest_sha256: manifestSha256(manifest) })
    const request = { publicKey, nonce: otherNonce ?? nonce, userData }
    const document = simulatedDocument(request, { chain, nowMs, ...input })
    return { mode: 'simulated', document: Buffer.from(document).toString('base64'), ...shown, manifest }
  }
  const signed = (header: object, payload: unknown): string => jws(receipts.privateKey, header, payload)
  return {
    root: root.certificate,
    ringId,
    measurements: Object.fromEntries([...simulatedMeasurements].map(([index, bytes]) => [index, hex(bytes)])),
    kid: receiptKey.kid,
    attestation,
    keyAttestation: (input) => ({
      ...receiptKey,
      ...attestation(receiptKeyNonce(receiptKey.kid), input),
      attested_at: new Date(nowMs).toISOString(),
    }),
    receipt: (claims) =>
      signed(
        { alg: 'EdDSA', typ: 'symbolon-receipt+jws', kid: receiptKey.kid },
        { ...sampleReceipt(ringId), ...claims },
      ),
    signed,
  }
}

function imageOf(registers: ReadonlyMap<number, Uint8Array>): EnclaveImage {
  const [pcr0, pcr1, pcr2] = [0, 1, 2].map((index) => hex(registers.get(index)))
  return { version: '0.1.0', pcr0: pcr0 ?? '', pcr1: pcr1 ?? '', pcr2: pcr2 ?? '', pcr8: null }
}

function keyOf(use: EnclaveKey['use'], key: KeyObject): EnclaveKey {
  const jwk = key.export({ format: 'jwk' }) as PublicJwk
  return { kid: jwkThumbprint(jwk), use, jwk }
}

const rawKey = (key: KeyObject): Uint8Array => Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url')

function jws(key: KeyObject, header: object, payload: unknown): string {
  const text = [JSON.stringify(header), canonicalJson(payload)]
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.')
  return `${text}.${sign(null, Buffer.from(text), key).toString('base64url')}`
}
