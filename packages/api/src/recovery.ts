import * as z from 'zod'
import { Base64, Curve, Id, Timestamp } from './formats.ts'

/** The state of a recovery. `open` and `delayed` take a code, only `verified` takes new shares. */
export const RecoveryState = z
  .enum(['open', 'delayed', 'verified', 'completed', 'locked', 'expired'])
  .meta({ id: 'RecoveryState' })

/** The state of a recovery. */
export type RecoveryState = z.output<typeof RecoveryState>

/** Which wallet to recover; nothing at all means the default curve. */
export const InitiateRecovery = z
  .strictObject({ curve: Curve.exactOptional().meta({ description: 'Defaults to `secp256k1`.' }) })
  .optional()
  .meta({ id: 'InitiateRecovery' })

/** A code as it comes by email. */
export const MailedCode = z.string().regex(/^[0-9]{6}$/, 'must be 6 digits')

/** The code that came by email. */
export const VerifyRecovery = z.strictObject({ code: MailedCode }).meta({ id: 'VerifyRecovery' })

/** When a process of a new device can be finished. */
export const ReadyAt = Timestamp.nullable().meta({
  description: 'When the same code works again, if the device has to wait (`delayed`); null otherwise.',
})

/** The shares of the recovered key on a fresh polynomial. */
export const CompleteRecovery = z
  .strictObject({
    new_provider_share: Base64.max(64),
    new_provider_share_index: z.int().min(1).max(255),
    new_recovery_share: Base64.max(64),
    new_recovery_share_index: z.int().min(1).max(255),
  })
  .meta({ id: 'CompleteRecovery' })

/** Both shares of the server's side, which rebuild the key. */
export const RecoveredShares = z
  .strictObject({
    wallet_id: Id,
    provider_share: Base64,
    recovery_share: Base64,
    polynomial_version: z.int().min(1),
  })
  .meta({ id: 'RecoveredShares' })

/** One recovery, as its owner may look at it. */
export const RecoveryProcess = z
  .strictObject({
    recovery_process_id: Id,
    wallet_id: Id,
    state: RecoveryState,
    ready_at: ReadyAt,
    expires_at: Timestamp,
  })
  .meta({ id: 'RecoveryProcess' })
