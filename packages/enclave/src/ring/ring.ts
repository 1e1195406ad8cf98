import { KeyFileError, type KeyRing, type Manifest } from '@symbolon/crypto/node'
import type { MarkKeys } from '../marks/freshness-marks.ts'

/**
 * The open key ring of an enclave. `id` is the thumbprint of its root key and stays over rotations; `keys` wraps data keys of purpose tee-a
 * under the newest version and unwraps under any.
 */
export type Ring = {
  readonly id: string
  readonly keys: KeyRing
  /** Keys for the freshness marks: the same for every version. */
  readonly markKeys: MarkKeys
  /** Whether its root still gives this ring, at this version. */
  isCurrent(): boolean
  /** Makes a new version, which is durable when this returns its number. Throws `RingError`. */
  rotate(): number
}

/** A ring that an enclave may serve with. */
export type ServingRing = Ring & {
  /** The newest manifest of its chain that was taken: it says whom to trust. */
  readonly manifest: Manifest
  /** Takes the newest manifest that its root has by now where that continues the chain of this one; false where there is none. */
  takeLaterManifest(): boolean
}

/** Where the ring of a boot comes from. It never makes one. */
export type RingRoot = {
  /** Opens the ring with its manifest. Throws `RingError` while it cannot be had; the caller may ask again. */
  open(): ServingRing
}

/**
 * `missing`: there is no ring. `unreadable`: there is something in its place that is not a ring, or may not be read. `changed`: the ring
 * behind an open one is gone, or is another. `manifest_missing`: the ring is there, and no manifest. `manifest_invalid`: the chain of manifests
 * does not verify, or is another ring's.
 */
export type RingErrorCode = 'missing' | 'unreadable' | 'changed' | 'manifest_missing' | 'manifest_invalid'

const messages: Record<RingErrorCode, string> = {
  missing: 'There is no key ring at this place.',
  unreadable: 'This is no key ring, or a damaged one. Restore it from a backup.',
  changed: 'The key ring in use is gone or was exchanged. Put it back.',
  manifest_missing:
    'There is no manifest of the key ring at this place. Put it back, or make the first one of an older ring: docs/guides/production.md says how.',
  manifest_invalid: 'This is not the manifest of the key ring. Put the right one back.',
}

/** The error of a ring root; says where the ring should be, never what is in it. */
export class RingError extends Error {
  override readonly name = 'RingError'
  readonly code: RingErrorCode
  readonly place: string

  constructor(code: RingErrorCode, place: string, cause?: unknown) {
    super(unreadFor(code, cause) ?? messages[code], { cause })
    this.code = code
    this.place = place
  }
}

/** Why the file of a ring or of its manifest could not be read, and what to do; undefined where it was read. */
function unreadFor(code: RingErrorCode, cause: unknown): string | undefined {
  if (code === 'manifest_invalid' && cause instanceof RingError) return cause.message
  if (code !== 'unreadable' || !(cause instanceof Error)) return undefined
  if (cause instanceof KeyFileError && cause.code === 'permissions')
    return 'This must be a regular file that only its owner can read: set its mode to 0600.'
  return `This file cannot be read (${(cause as NodeJS.ErrnoException).code ?? cause.name}).`
}
