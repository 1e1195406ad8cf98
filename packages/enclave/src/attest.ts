import {
  type AttestedState,
  attestationUserData,
  documentImage,
  manifestSha256,
  receiptKeyNonce,
} from '@symbolon/crypto/attestation'
import { type AttestRequest, wireWriter, writeAttestAnswer, writtenBytes } from '@symbolon/crypto/node'
import type { Attestor } from './attestor.ts'
import { bootKeys, type ReceiptKey } from './boot-keys.ts'
import { type PacedQueue, pacedQueue } from './paced-queue.ts'
import type { Vault } from './vault.ts'
import { enclaveVersion } from './version.ts'

/** What the public attestations of one boot are made of; `document` is any document of this boot, whose registers they repeat. */
export type PublicAttestation = {
  attestor: Attestor
  channelKey: Uint8Array
  receiptKey: ReceiptKey
  document: Uint8Array
  /** Of strangers' requests, and of the platform's own: nobody's nonces keep the receipt key's document from being made. */
  queues: { strangers: PacedQueue; own: PacedQueue }
}

/** Nobody's requests for documents may keep the secure module from handshakes and imports. */
export const attestPace = { atOnceMax: 8, everyMs: 50, waitMaxMs: 5_000, waitingMax: 256 } as const

const newQueue = () => pacedQueue(attestPace, () => performance.now())

/** The public attestations of a boot. */
export const publicAttestation = (parts: Omit<PublicAttestation, 'queues'>): PublicAttestation => ({
  ...parts,
  queues: { strangers: newQueue(), own: newQueue() },
})

/**
 * Answers ring, image and public keys of this boot with a document that commits to them; the body as it goes on the wire, undefined where
 * too many wait. Rejects when the secure module does not answer.
 */
export async function attest(
  { attestor, channelKey, receiptKey, document: own, queues }: PublicAttestation,
  { ring, importKey }: Pick<Vault, 'ring' | 'importKey'>,
  { nonce }: AttestRequest,
): Promise<Uint8Array | undefined> {
  const keys = bootKeys({
    channel: channelKey,
    importKey: importKey.publicKey,
    receipt: receiptKey.publicKey,
  })
  const image = { version: enclaveVersion, ...documentImage(own) }
  const { manifest } = ring
  const state: AttestedState = { ring_id: ring.id, image, keys, manifest_sha256: manifestSha256(manifest) }
  const document = await (nonce === null ? queues.own : queues.strangers).run(() =>
    attestor.attest({
      publicKey: channelKey,
      nonce: nonce ?? receiptKeyNonce(receiptKey.kid),
      userData: attestationUserData(state),
    }),
  )
  if (document === undefined) return undefined
  const answer = wireWriter(2_048 + document.length)
  writeAttestAnswer(answer, { state: JSON.stringify({ ring_id: ring.id, image, keys, manifest }), document })
  return writtenBytes(answer)
}
