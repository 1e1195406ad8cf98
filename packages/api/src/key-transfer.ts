import * as z from 'zod'
import { Base64, Curve, Id, Timestamp } from './formats.ts'
import { MailedCode, ReadyAt } from './recovery.ts'

/** 65 bytes: an uncompressed point of P-256, be it a public key or an encapsulated one. */
export const P256Point = Base64.length(88)
  .regex(/[^=]=$/, 'must be 65 bytes')
  .meta({ id: 'P256Point', description: 'Uncompressed point of P-256 (65 bytes), base64.' })

/** 48 bytes: a private key of 32 under AES-256-GCM, with its tag. */
const SealedKey = Base64.length(64)
  .regex(/[^=]$/, 'must be 48 bytes')
  .meta({ description: 'The sealed key (32 bytes) and its tag, in base64.' })

/** Which wallet's key is to leave or to come in; nothing at all means the default curve. */
export const InitiateKeyTransfer = z
  .strictObject({ curve: Curve.exactOptional().meta({ description: 'Defaults to `secp256k1`.' }) })
  .optional()
  .meta({ id: 'InitiateKeyTransfer' })

/** An export that waits for its code. */
export const KeyExportStart = z
  .strictObject({ export_id: Id, expires_at: Timestamp })
  .meta({ id: 'KeyExportStart' })

/** One export, as its owner may look at it. */
export const KeyExport = z
  .strictObject({
    export_id: Id,
    wallet_id: Id,
    state: z.enum(['open', 'delayed', 'completed', 'locked', 'expired']),
    ready_at: ReadyAt,
    expires_at: Timestamp,
  })
  .meta({ id: 'KeyExport' })

/** The code that came by email, and whom the key is for. */
export const CompleteKeyExport = z
  .strictObject({ export_id: Id, code: MailedCode, recipient_public_key: P256Point })
  .meta({ id: 'CompleteKeyExport' })

/** A private key that only the holder of the recipient key can open. */
export const ExportedKey = z
  .strictObject({ wallet_id: Id, curve: Curve, enc: P256Point, ciphertext: SealedKey })
  .meta({ id: 'ExportedKey' })

/** An import that waits for its code and its key. */
export const KeyImportStart = z
  .strictObject({
    import_id: Id,
    wallet_id: Id.meta({ description: 'The id of the wallet to be created.' }),
    enclave_public_key: P256Point,
    attestation: Base64.meta({
      description:
        'Attestation document in the AWS Nitro format: `public_key` is the enclave key, `nonce` the 16 bytes of the wallet id, `user_data` the text `symbolon enclave import v1` and the associated data.',
    }),
    expires_at: Timestamp,
  })
  .meta({ id: 'KeyImportStart' })

/** The code that came by email, and the key, sealed to the enclave. */
export const CompleteKeyImport = z
  .strictObject({ import_id: Id, code: MailedCode, enc: P256Point, ciphertext: SealedKey })
  .meta({ id: 'CompleteKeyImport' })
