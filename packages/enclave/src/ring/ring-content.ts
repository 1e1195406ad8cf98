import {
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  randomFillSync,
  sign,
  verify,
} from 'node:crypto'
import { equalBytes } from '@symbolon/crypto'
import { manifestSha256 } from '@symbolon/crypto/attestation'
import { deriveKey } from '@symbolon/crypto/node'
import type { MarkKeys } from '../marks/freshness-marks.ts'

/**
 * The secrets of a key ring. `root` is the seed (32 bytes) of its Ed25519 root signing key, whose thumbprint is the ring's id; the first of
 * `versions` (32 bytes each) is version 1 of the key that wraps data keys. `keyId` is the name that envelopes give that key: the ring's id,
 * or in an adopted ring the name from before it had one.
 */
export type RingContent = { root: Uint8Array; keyId: string; versions: readonly Uint8Array[] }

/** The same secrets before rings had an id. */
export type OldKeys = { keyId: string; versions: readonly Uint8Array[] }

const format = 'symbolon-ring/1'
const oldFormat = 'symbolon-keys/1'
// RFC 8410 section 7: what stands before the seed in PKCS #8.
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex')
// RFC 8410 section 4: what stands before the public key in SubjectPublicKeyInfo.
const spkiHeadBytes = 12
const keyIdShape = /^[\x21-\x7e]{1,255}$/

/** A ring nobody has had before, at version 1. */
export function newRing(): RingContent {
  const root = freshKey()
  return { root, keyId: ringId(root), versions: [freshKey()] }
}

/** The ring that takes over keys which had no id: it opens all that they opened. */
export const adoptedRing = ({ keyId, versions }: OldKeys): RingContent => ({
  root: freshKey(),
  keyId,
  versions,
})

/** The ring with a new version, which is current from then on. */
export const withNewVersion = (ring: RingContent): RingContent => ({
  ...ring,
  versions: [...ring.versions, freshKey()],
})

/** Whether `newer` is the same ring and has every version of `older` in its place. */
export const extendsRing = (newer: RingContent, older: RingContent): boolean =>
  equalBytes(newer.root, older.root) &&
  newer.keyId === older.keyId &&
  older.versions.every((key, i) => isSame(key, newer.versions[i]))

/** The id of the ring whose root key has this seed: the JWK thumbprint (RFC 7638, RFC 8037 section 2) of its public key, 43 characters. */
export function ringId(root: Uint8Array): string {
  const key = createPublicKey(rootKey(root))
  const x = key.export({ format: 'der', type: 'spki' }).subarray(spkiHeadBytes).toString('base64url')
  return createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest('base64url')
}

/** What names and seals the freshness marks of the ring with this root. */
export const markKeysOf = (root: Uint8Array): MarkKeys => ({
  names: deriveKey(root, 'symbolon marks names v1', 32),
  seal: deriveKey(root, 'symbolon marks seal v1', 32),
})

/** The root key's signature (Ed25519, base64) of the hash of the ring's first manifest: what makes that one the ring's own. */
export const vouchFor = (root: Uint8Array, manifest: unknown): string =>
  sign(null, vouchText(manifest), rootKey(root)).toString('base64')

/** Whether `vouchFor` made this signature of this manifest. */
export const isVouchedFor = (root: Uint8Array, manifest: unknown, signature: string): boolean =>
  verify(null, vouchText(manifest), createPublicKey(rootKey(root)), Buffer.from(signature, 'base64'))

const vouchText = (manifest: unknown): Buffer =>
  Buffer.from(`symbolon ring manifest v1\0${manifestSha256(manifest)}`)

function rootKey(root: Uint8Array): KeyObject {
  const pkcs8 = Buffer.concat([pkcs8Head, root])
  const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' })
  pkcs8.fill(0)
  return key
}

/** The ring as JSON text: `{format, ring_id, root, key_id, versions}`, keys in base64. */
export function formatRing({ root, keyId, versions }: RingContent): string {
  const fields = { format, ring_id: ringId(root), root: toBase64(root), key_id: keyId }
  return `${JSON.stringify({ ...fields, versions: versions.map(toBase64) }, null, 2)}\n`
}

/** Reads what `formatRing` wrote; undefined for anything else, and where the root key is not that of the named ring. */
export function parseRing(text: string): RingContent | undefined {
  const fields = parseRecord(text)
  if (fields?.['format'] !== format) return undefined
  const [root] = keysOf([fields['root']]) ?? []
  const keys = oldKeysOf(fields['key_id'], fields['versions'])
  if (root === undefined || keys === undefined || fields['ring_id'] !== ringId(root)) return undefined
  return { root, ...keys }
}

/** Reads the keys of a file from before rings had an id; undefined for anything else. */
export function parseOldKeys(text: string): OldKeys | undefined {
  const fields = parseRecord(text)
  if (fields?.['format'] !== oldFormat || !isRecord(fields['keys'])) return undefined
  const { 'tee-a': found, ...others } = fields['keys']
  if (!isRecord(found) || Object.keys(others).length > 0) return undefined
  return oldKeysOf(found['keyId'], found['versions'])
}

function oldKeysOf(keyId: unknown, versions: unknown): OldKeys | undefined {
  const keys = Array.isArray(versions) && versions.length > 0 ? keysOf(versions) : undefined
  if (keys === undefined || typeof keyId !== 'string' || !keyIdShape.test(keyId)) return undefined
  return { keyId, versions: keys }
}

const keysOf = (texts: readonly unknown[]): Uint8Array[] | undefined =>
  texts.every(isKeyText) ? texts.map((text) => Uint8Array.from(Buffer.from(text, 'base64'))) : undefined

// 32 bytes in canonical base64.
const isKeyText = (value: unknown): value is string =>
  typeof value === 'string' && /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/.test(value)

function parseRecord(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    // The parser's own message would quote the file.
    return undefined
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isSame = (key: Uint8Array, other: Uint8Array | undefined): boolean =>
  other !== undefined && equalBytes(key, other)

const freshKey = (): Uint8Array => randomFillSync(new Uint8Array(32))

const toBase64 = (key: Uint8Array): string => Buffer.from(key).toString('base64')
