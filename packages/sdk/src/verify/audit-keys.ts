import { sha256 } from '@noble/hashes/sha2.js'
import { fromBase64 } from '../bytes.ts'
import type { PlatformKey } from '../platform-key.ts'
import type { CheckpointNote } from './checkpoint-note.ts'
import { isEqual } from './exact-bytes.ts'

/** The platform's public keys, as `/.well-known/jwks.json` has them; keys of other kinds are left out. */
export type AuditKeys = {
  readonly keys: readonly {
    readonly kty?: string | undefined
    readonly crv?: string | undefined
    readonly x?: string | undefined
    readonly kid?: string | undefined
  }[]
}

/** A key that may have signed. */
export type AuditKey = {
  readonly kid: string | undefined
  readonly raw: Uint8Array
  readonly key: PlatformKey
}

// C2SP signed-note: the byte that marks an Ed25519 key.
const ed25519Mark = Uint8Array.of(1)

/** The Ed25519 keys of a key set. Rejects where WebCrypto has no Ed25519. */
export async function importKeys({ keys }: AuditKeys): Promise<readonly AuditKey[]> {
  const own = keys.filter(({ kty, crv }) => kty === 'OKP' && crv === 'Ed25519')
  const imported = await Promise.all(
    own.map(async ({ x = '', kid }) => {
      const raw = keyBytes(x)
      if (raw === undefined) return []
      return [
        { kid, raw, key: await crypto.subtle.importKey('raw', raw, { name: 'Ed25519' }, false, ['verify']) },
      ]
    }),
  )
  return imported.flat()
}

/**
 * The key that signed a note: one that the note's origin names by host and a signature line by its id. `unknown` where none of
 * the given keys is named, `forged` where one is and its signature does not hold.
 */
export async function signerOf(
  { text, head, signatures }: CheckpointNote,
  keys: readonly AuditKey[],
): Promise<AuditKey | 'unknown' | 'forged'> {
  const signed = new TextEncoder().encode(text)
  let signer: AuditKey | 'unknown' = 'unknown'
  for (const { name, keyId, signature } of signatures) {
    if (name !== head.host) continue
    for (const key of keys) {
      if (!isEqual(keyIdOf(name, key), keyId)) continue
      // One false signature of a known key, and the note is not accepted at all (signed-note).
      if (!(await crypto.subtle.verify('Ed25519', key.key, signature, signed))) return 'forged'
      signer = key
    }
  }
  return signer
}

function keyIdOf(name: string, { raw }: AuditKey): Uint8Array {
  const hash = sha256
    .create()
    .update(new TextEncoder().encode(`${name}\n`))
    .update(ed25519Mark)
    .update(raw)
  return hash.digest().subarray(0, 4)
}

function keyBytes(x: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9_-]{43}$/.test(x)) return undefined
  return fromBase64(`${x.replaceAll('-', '+').replaceAll('_', '/')}=`)
}
