import { realpathSync } from 'node:fs'
import { manifestSha256 } from '@symbolon/crypto/attestation'
import {
  assertFollows,
  createPrivateFile,
  firstManifest,
  type Manifest,
  type ManifestContent,
  ManifestError,
  readManifestChain,
  replacePrivateFile,
} from '@symbolon/crypto/node'
import { RingError } from './ring.ts'
import { isVouchedFor, type RingContent, ringId, vouchFor } from './ring-content.ts'
import { readRing, readText } from './ring-file.ts'

const format = 'symbolon-manifests/1'
const versionsMax = 4_096
const bytesMax = 16 << 20

/** The chain of a ring, oldest first, and the ring's own signature of its first manifest (Ed25519, base64). */
type ManifestFile = { ring_signature: string; manifests: unknown[] }

/** Where the manifests of the ring in `path` lie: beside it, under its name. */
export const manifestFileOf = (path: string): string => path.replace(/(\.json)?$/, '.manifest.json')

/**
 * Makes version 1 of the manifest of the ring in `path`, vouched for by the ring's root key, or leaves the file that is there; what it holds then
 * is returned. Throws `RingError`, and `ManifestError` for a content that is none.
 */
export function makeManifestFile(path: string, content: ManifestContent): Manifest {
  const ring = readRing(path)
  const manifest = firstManifest(ringId(ring.root), content)
  createPrivateFile(manifestFileOf(path), formatFile(vouchFor(ring.root, manifest), [manifest]))
  return openManifestFile(path)
}

/** Appends a version to the chain of the ring in `path`. Throws `RingError`, and `ManifestError` where it does not follow the newest. */
export function addManifest(path: string, manifest: Manifest): void {
  const { file, newest } = readFile(path)
  assertFollows(manifest, newest)
  if (file.manifests.length >= versionsMax)
    throw new ManifestError(`The chain has ${versionsMax} manifests, and no place for another one.`)
  // Behind a link, the file is replaced, not the link.
  const place = realpathSync(manifestFileOf(path))
  replacePrivateFile(place, formatFile(file.ring_signature, [...file.manifests, manifest]))
}

/**
 * The newest manifest of the ring in `path`, once all of its chain was verified. Throws `RingError`: `manifest_missing`, or `manifest_invalid`
 * where the chain does not verify or is another ring's.
 */
export const openManifestFile = (path: string): Manifest => readFile(path).newest

/**
 * The newest manifest in the file of the ring in `path`, if `current` stands in its chain and all that follows verifies; the ring's file is not read.
 * Undefined where there is none that is later.
 */
export function laterManifest(path: string, current: Manifest): Manifest | undefined {
  try {
    const { manifests } = parseFile(readText(manifestFileOf(path)) ?? '')
    const newest = readManifestChain(manifests, current.ring_id)
    const same = manifests[current.version - 1]
    const isContinued = same !== undefined && manifestSha256(same as Manifest) === manifestSha256(current)
    return isContinued && newest.version > current.version ? newest : undefined
  } catch (error) {
    if (error instanceof ManifestError || error instanceof RingError || error instanceof SyntaxError)
      return undefined
    throw error
  }
}

function readFile(path: string): { file: ManifestFile; newest: Manifest } {
  const ring = readRing(path)
  const place = manifestFileOf(path)
  const text = textOf(place)
  if (text === undefined) throw new RingError('manifest_missing', place)
  try {
    const file = parseFile(text)
    return { file, newest: newestOf(file, ring) }
  } catch (error) {
    throw new RingError('manifest_invalid', place, error)
  }
}

function textOf(place: string): string | undefined {
  try {
    return readText(place)
  } catch (error) {
    throw new RingError('manifest_invalid', place, error)
  }
}

function newestOf({ ring_signature, manifests }: ManifestFile, { root }: RingContent): Manifest {
  const newest = readManifestChain(manifests, ringId(root))
  if (!isVouchedFor(root, manifests[0], ring_signature))
    throw new ManifestError('The ring does not vouch for the first manifest.')
  return newest
}

const formatFile = (ringSignature: string, manifests: readonly unknown[]): string =>
  `${JSON.stringify({ format, ring_signature: ringSignature, manifests }, null, 2)}\n`

function parseFile(text: string): ManifestFile {
  if (text.length > bytesMax) throw new ManifestError('The file is too long.')
  const value: unknown = JSON.parse(text)
  if (typeof value !== 'object' || value === null) throw new ManifestError('The file is not an object.')
  const { format: found, ring_signature, manifests, ...others } = value as Record<string, unknown>
  if (found !== format || Object.keys(others).length > 0)
    throw new ManifestError('The file has another format.')
  if (typeof ring_signature !== 'string' || !Array.isArray(manifests) || manifests.length > versionsMax)
    throw new ManifestError('The file is malformed.')
  return { ring_signature, manifests }
}
