import { realpathSync } from 'node:fs'
import { createPrivateFile, type KeyRing, keyRing, replacePrivateFile } from '@symbolon/crypto/node'
import { laterManifest, manifestFileOf, openManifestFile } from './manifest-file.ts'
import { type Ring, RingError, type RingRoot } from './ring.ts'
import {
  adoptedRing,
  extendsRing,
  formatRing,
  markKeysOf,
  newRing,
  type OldKeys,
  parseOldKeys,
  type RingContent,
  ringId,
  withNewVersion,
} from './ring-content.ts'
import { readRing, readText, stampOf, stampOrNone } from './ring-file.ts'

/**
 * A ring in one file of mode 0600, its only copy, and its manifests in another beside it: for development. The files are read, and the ring is
 * rotated; neither is ever made.
 */
export const fileRoot = (path: string): RingRoot => ({
  open() {
    const place = manifestFileOf(path)
    // Taken before the text: a file replaced in between is read again at the next look.
    let stamp = stampOrNone(place)
    const ring = openRingFile(path)
    let manifest = openManifestFile(path)
    let refused: string | undefined
    return {
      ...ring,
      get manifest() {
        return manifest
      },
      isCurrent: () => ring.isCurrent() && stampOrNone(place) === stamp,
      takeLaterManifest() {
        const found = stampOrNone(place)
        // What was refused is read once.
        if (found === stamp || found === refused) return false
        const later = laterManifest(path, manifest)
        if (later === undefined) refused = found
        else [manifest, stamp] = [later, found]
        return later !== undefined
      },
    }
  },
})

/** Makes a ring where no file is, and returns its id. Throws the system's error where a file is in the way. */
export function makeRingFile(path: string): string {
  const ring = newRing()
  createPrivateFile(path, formatRing(ring))
  // Of two that make one at once, one wins.
  return ringId(readRing(path).root)
}

/** What is at the place of a ring file: a ring, keys from before rings had ids, nothing, or something else. */
export type RingFileState =
  | { kind: 'ring'; id: string; versions: number }
  | { kind: 'old' }
  | { kind: 'missing' }
  | { kind: 'unreadable' }

/** Looks at a ring file and changes nothing. */
export function ringFileState(path: string): RingFileState {
  try {
    const { root, versions } = readRing(path)
    return { kind: 'ring', id: ringId(root), versions: versions.length }
  } catch (error) {
    if (error instanceof RingError && error.code === 'missing') return { kind: 'missing' }
    return { kind: oldKeysIn(path) === undefined ? 'unreadable' : 'old' }
  }
}

/** The keys of a file from before rings had ids, as a key ring; undefined where the file holds something else. */
export function oldKeyRing(path: string): KeyRing | undefined {
  const keys = oldKeysIn(path)
  return keys && keyRing({ purpose: 'tee-a', keyId: keys.keyId, keys: keys.versions })
}

/** Gives the keys of an old file an id: replaces the file by a ring that opens the same, and returns its id. Throws `RingError`. */
export function adoptRingFile(path: string): string {
  const keys = oldKeysIn(path)
  if (keys === undefined) throw new RingError('unreadable', path)
  const ring = adoptedRing(keys)
  replacePrivateFile(realpathSync(path), formatRing(ring))
  return ringId(ring.root)
}

function oldKeysIn(path: string): OldKeys | undefined {
  try {
    const text = readText(path)
    return text === undefined ? undefined : parseOldKeys(text)
  } catch {
    return undefined
  }
}

/** What was read last, and the state of the file then. */
type Opened = { content: RingContent; keys: KeyRing; stamp: string | undefined }

/** Opens the ring in a file. Throws `RingError`. */
export function openRingFile(path: string): Ring {
  let opened = read(path)

  // What is wrapped under a lost ring is lost, so a data key is made only while the file holds every key in use.
  const kept = (): Opened => {
    try {
      if (stampOf(path) === opened.stamp) return opened
      const next = read(path)
      if (!extendsRing(next.content, opened.content)) throw new RingError('changed', path)
      opened = next
      return opened
    } catch (error) {
      throw error instanceof RingError && error.code !== 'missing'
        ? error
        : new RingError('changed', path, error)
    }
  }

  return {
    id: ringId(opened.content.root),
    keys: {
      keyId: opened.content.keyId,
      get version() {
        return opened.keys.version
      },
      generateDataKey: (context) => kept().keys.generateDataKey(context),
      unwrap: (wrappedKey, context) => opened.keys.unwrap(wrappedKey, context),
      rewrap: (wrappedKey, context) => kept().keys.rewrap(wrappedKey, context),
    },
    markKeys: markKeysOf(opened.content.root),
    isCurrent: () => stampOrNone(path) === opened.stamp,
    rotate() {
      const next = formatRing(withNewVersion(kept().content))
      // Behind a link, the file is replaced, not the link.
      replacePrivateFile(realpathSync(path), next)
      return kept().keys.version
    },
  }
}

function read(path: string): Opened {
  // Taken before the text: a file replaced in between is read again at the next look.
  const stamp = stampOf(path)
  const content = readRing(path)
  const keys = keyRing({ purpose: 'tee-a', keyId: content.keyId, keys: content.versions })
  return { content, keys, stamp }
}
