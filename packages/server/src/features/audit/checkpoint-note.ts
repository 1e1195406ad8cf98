import { createHash } from 'node:crypto'
import type { SigningJwk } from '@symbolon/api'

/** The head of an organization's log at one moment. */
export type TreeHead = { size: number; root: Uint8Array; at: Date }

/** A signed tree head: the C2SP note, and the raw Ed25519 signature (64 bytes) over its text. */
export type SignedHead = { note: string; signature: Uint8Array }

// C2SP signed-note: the byte that marks an Ed25519 key.
const ed25519 = Uint8Array.of(1)

/** The origin that names an organization's log in its checkpoints: a URL without scheme (C2SP tlog-checkpoint). */
export const logOrigin = (host: string, organizationId: string): string =>
  `${host}/v1/orgs/${organizationId}/audit`

/**
 * Signs a tree head as a C2SP tlog-checkpoint: origin, size, root, and an extension line with the time, so that the time is
 * signed too. The key's name is the platform's host, its id the first four bytes of SHA-256(name, 0x0A, 0x01, public key).
 */
export function signHead(
  { size, root, at }: TreeHead,
  {
    host,
    organizationId,
    jwk,
    sign,
  }: { host: string; organizationId: string; jwk: SigningJwk; sign: (message: Uint8Array) => Uint8Array },
): SignedHead {
  const lines = [
    logOrigin(host, organizationId),
    String(size),
    Buffer.from(root).toString('base64'),
    `timestamp ${at.toISOString()}`,
  ]
  const text = `${lines.join('\n')}\n`
  const signature = sign(Buffer.from(text, 'utf8'))
  const keyId = createHash('sha256')
    .update(`${host}\n`)
    .update(ed25519)
    .update(Buffer.from(jwk.x, 'base64url'))
    .digest()
    .subarray(0, 4)
  const signed = Buffer.concat([keyId, signature]).toString('base64')
  return { note: `${text}\n— ${host} ${signed}\n`, signature }
}
