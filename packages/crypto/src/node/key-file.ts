import { realpathSync } from 'node:fs'
import { EnvelopeError } from './envelope-error.ts'
import {
  extendsContent,
  formatKeyFile,
  type KeyFileContent,
  parseKeyFile,
  withNewVersion,
  withPurposes,
} from './key-file-content.ts'
import { KeyFileError } from './key-file-error.ts'
import { withKeyFileLock } from './key-file-lock.ts'
import { createPrivateFile, fileStamp, readPrivateFile, replacePrivateFile } from './key-file-storage.ts'
import type { KeyPurpose } from './key-purpose.ts'
import { type KeyRing, keyRing } from './key-ring.ts'

/** Key rings kept in one file that several processes share. */
export type KeyFile = {
  /** A live ring: it wraps under the newest version on disk, whichever process made it. */
  ring(purpose: KeyPurpose): KeyRing
  /** Adds a version and answers its number once it is durable. */
  rotate(purpose: KeyPurpose): number
}

/**
 * Makes an absent key file with first keys of these purposes, or adds those that the file lacks; of several processes exactly one does.
 * `inUse` are purposes that have sealed something: they get no keys, since new ones open none of it. Throws `KeyFileError`.
 */
export function makeKeyFile(
  location: string,
  purposes: readonly KeyPurpose[],
  { inUse = [] }: { inUse?: readonly KeyPurpose[] } = {},
): void {
  const unused = purposes.filter((purpose) => !inUse.includes(purpose))
  guarded(location, () => {
    if (fileStamp(location) === undefined)
      createPrivateFile(location, formatKeyFile(withPurposes(new Map(), unused)))
    const path = realpathSync(location)
    if (unused.every((purpose) => read(path, purposes).content.has(purpose))) return
    withKeyFileLock(path, () => {
      const { content } = read(path, purposes)
      replacePrivateFile(path, formatKeyFile(withPurposes(content, unused)))
    })
  })
}

type Snapshot = {
  stamp: string | undefined
  content: KeyFileContent
  rings: ReadonlyMap<KeyPurpose, KeyRing>
}

/**
 * Opens the key file at `location` with keys of these purposes: one of another purpose is refused, so that two sides of a
 * boundary never share a file by mistake. It makes nothing: an absent file is `missing`, and a purpose without keys an
 * `unknown_key` of its ring. `makeKeyFile` makes them.
 *
 * New data keys are made only while the file is there and holds every key in use, since what is wrapped under lost
 * keys is lost; unwrapping goes on from memory. Synchronous. Throws `KeyFileError`, its rings also `EnvelopeError`.
 *
 * The one exception to "no I/O in crypto": API process and enclave need the same file, and neither may import the
 * other (docs/decisions/0002).
 */
export function openKeyFile(location: string, purposes: readonly KeyPurpose[]): KeyFile {
  if (guarded(location, () => fileStamp(location)) === undefined) throw new KeyFileError('missing', location)
  // Behind a link, replacing must hit the file, not the link.
  const path = guarded(location, () => realpathSync(location))
  let snapshot = guarded(path, () => read(path, purposes))

  const refresh = (): Snapshot =>
    guarded(path, () => {
      const stamp = fileStamp(path)
      if (stamp === undefined) throw new KeyFileError('unavailable', path)
      if (stamp !== snapshot.stamp) {
        const next = read(path, purposes)
        if (!extendsContent(next.content, snapshot.content)) throw new KeyFileError('replaced', path)
        snapshot = next
      }
      return snapshot
    })

  return {
    ring(purpose) {
      const { keyId } = ringOf(snapshot, purpose)
      const newest = () => ringOf(refresh(), purpose)
      // A version above ours was made by another process; we check one at or below it.
      const holding = (keyVersion: number) =>
        keyVersion > ringOf(snapshot, purpose).version ? newest() : ringOf(snapshot, purpose)
      return {
        keyId,
        get version() {
          return newest().version
        },
        generateDataKey: (context) => newest().generateDataKey(context),
        unwrap: (wrappedKey, context) => holding(wrappedKey.keyVersion).unwrap(wrappedKey, context),
        rewrap: (wrappedKey, context) => newest().rewrap(wrappedKey, context),
      }
    },
    rotate(purpose) {
      ringOf(snapshot, purpose)
      return guarded(path, () =>
        withKeyFileLock(path, () => {
          replacePrivateFile(path, formatKeyFile(withNewVersion(refresh().content, purpose)))
          return ringOf(refresh(), purpose).version
        }),
      )
    },
  }
}

const read = (path: string, purposes: readonly KeyPurpose[]): Snapshot => {
  // Taken before the text: a file replaced in between is read again at the next look.
  const stamp = fileStamp(path)
  const text = readPrivateFile(path)
  if (text === undefined) throw new KeyFileError('unavailable', path)
  const content = parseKeyFile(text, purposes)
  if (content === undefined) throw new KeyFileError('malformed', path)
  const rings = new Map(
    [...content].map(([purpose, { keyId, versions }]) => [
      purpose,
      keyRing({ purpose, keyId, keys: versions }),
    ]),
  )
  return { stamp, content, rings }
}

const ringOf = (snapshot: Snapshot, purpose: KeyPurpose): KeyRing => {
  const ring = snapshot.rings.get(purpose)
  if (ring === undefined) throw new EnvelopeError('unknown_key')
  return ring
}

const guarded = <result>(path: string, action: () => result): result => {
  try {
    return action()
  } catch (error) {
    if (error instanceof KeyFileError || error instanceof EnvelopeError) throw error
    throw new KeyFileError('unavailable', path, error)
  }
}
