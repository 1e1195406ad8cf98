import type { RecoveryShareFields, SealedShare } from './share-fields.ts'

/** A share as it is stored: as received, sealed or not. `null` if it was rotated away, which leaves an empty row. */
export type StoredRecoveryShare = RecoveryShareFields & {
  readonly share: { readonly recoveryShare: string } | { readonly sealedShare: SealedShare } | null
}

/** Where a receiver keeps its shares, by wallet and version. When a promise resolves, its change is durable. */
export type RecoveryShareStore = {
  /** Keeps the share unless there is one of this wallet and version already, and answers the one that is there then. */
  put(share: StoredRecoveryShare): Promise<StoredRecoveryShare>
  get(walletId: string, polynomialVersion: number): Promise<StoredRecoveryShare | undefined>
  /**
   * Empties the older versions of a wallet and keeps their places, so that none of them is stored again. Answers false, and
   * does nothing, where the named version is not there: the last share is never given away for one that nobody has.
   */
  emptyOlder(walletId: string, polynomialVersion: number): Promise<boolean>
  /** Whether this is the first time that the call is seen; of two at once one is. May forget it after `untilMs`. */
  claim(call: string, untilMs: number): Promise<boolean>
}
