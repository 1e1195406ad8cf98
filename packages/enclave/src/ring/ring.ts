import type { KeyRing } from '@symbolon/crypto/node'

/**
 * The open key ring of an enclave. `id` is the thumbprint of its root key and stays over rotations; `keys` wraps data keys of purpose tee-a
 * under the newest version and unwraps under any.
 */
export type Ring = {
  readonly id: string
  readonly keys: KeyRing
  /** Whether its root still gives this ring, at this version. */
  isCurrent(): boolean
  /** Makes a new version, which is durable when this returns its number. Throws `RingError`. */
  rotate(): number
}

/** Where the ring of a boot comes from. It never makes one. */
export type RingRoot = {
  /** Opens the ring. Throws `RingError` while it cannot be had; the caller may ask again. */
  open(): Ring
}

/**
 * `missing`: there is no ring. `unreadable`: there is something in its place that is not a ring, or may not be read. `changed`: the ring
 * behind an open one is gone, or is another.
 */
export type RingErrorCode = 'missing' | 'unreadable' | 'changed'

const messages: Record<RingErrorCode, string> = {
  missing: 'There is no key ring at this place.',
  unreadable: 'The key ring cannot be read.',
  changed: 'The key ring in use is gone or was exchanged. Put it back.',
}

/** The error of a ring root; says where the ring should be, never what is in it. */
export class RingError extends Error {
  override readonly name = 'RingError'
  readonly code: RingErrorCode
  readonly place: string

  constructor(code: RingErrorCode, place: string, cause?: unknown) {
    super(messages[code], { cause })
    this.code = code
    this.place = place
  }
}
