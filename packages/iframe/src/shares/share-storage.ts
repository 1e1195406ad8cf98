/**
 * A device share as it lies in the browser: whose it is in the clear, the 33 bytes encrypted with all of that as
 * associated data. `wallet_id` and `version` are null while it is not known whether the service has put it into force.
 */
export type ShareRow = {
  readonly id: string
  readonly organization_id: string
  readonly user_identity_id: string
  readonly curve: string
  /** 0x hex, compressed. */
  readonly public_key: string
  readonly wallet_id: string | null
  readonly version: number | null
  readonly iv: Uint8Array<ArrayBuffer>
  readonly ciphertext: Uint8Array<ArrayBuffer>
}

/** Rows to write and ids of rows to delete, all or nothing. */
export type ShareChange = { readonly put?: readonly ShareRow[]; readonly remove?: readonly string[] }

/**
 * Where a browser keeps its shares: a key that encrypts them and cannot be read out, and their rows. When `change`
 * resolves, the change outlives a crash of the browser, if `isDurable`.
 */
export type ShareStorage = {
  readonly isDurable: boolean
  /** The AES-GCM key of this browser, made at first use; every tab gets the same one. */
  key(): Promise<CryptoKey>
  /** What names this browser as a device to the service, a secret of this origin; made at first use, the same in every tab. */
  nonce(): Promise<string>
  rows(): Promise<ShareRow[]>
  change(change: ShareChange): Promise<void>
}
