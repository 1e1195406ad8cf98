import type { Curve } from '@symbolon/networks'
import type { Queryable } from '../db/pool.ts'

/** Which recovery share is meant: one wallet's, of one polynomial. `shareIndex` is its x-coordinate, 1..255. */
export type RecoveryShareRef = {
  organizationId: string
  userIdentityId: string
  walletId: string
  curve: Curve
  polynomialVersion: number
  shareIndex: number
}

/**
 * Where a share is, kept with the wallet it belongs to: reads go there even after the organization's recovery mode changed
 * (decisions: organizations). `id` names the local row, so that of two attempts at one version each finds its own share.
 */
export type RecoverySharePlace = { at: 'local'; id: string } | { at: 'webhook' }

/** Keeps recovery shares (33 bytes: y, then the index) of one kind of place. */
export type RecoveryShareStore<place extends RecoverySharePlace = RecoverySharePlace> = {
  /** Durable when it resolves. Throws `RecoveryShareError`; the share may be there nevertheless. */
  store(ref: RecoveryShareRef, share: Uint8Array): Promise<place>
  /** Gives the share back, its length, index and version checked; the caller wipes it. Throws `RecoveryShareError`. */
  fetch(ref: RecoveryShareRef, place: place): Promise<Uint8Array>
  /** Says that `ref` is in force, so that shares of older versions may go; part of the transaction that makes it so. */
  rotated(tx: Queryable, ref: RecoveryShareRef, place: place): Promise<void>
  /** Call this once that transaction is committed: it sends the queued messages at once. */
  nudge(): void
}

/**
 * A share could not be stored or fetched; its cause is for the log and holds no share. Answered as `recovery_webhook_failed`.
 * `mayStillArrive`: the call was cut off with its outcome open, so the share may be stored after all, and later.
 */
export class RecoveryShareError extends Error {
  override readonly name = 'RecoveryShareError'
  readonly mayStillArrive: boolean

  constructor(message: string, options: { cause?: unknown; mayStillArrive?: boolean } = {}) {
    super(message, { cause: options.cause })
    this.mayStillArrive = options.mayStillArrive ?? false
  }
}
