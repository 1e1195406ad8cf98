import type { PlatformKey } from '../../jwks/index.ts'

/** Whose signature cards have, and where its key is published. */
export type CardSigner = { key: PlatformKey; baseUrl: string }

/** A signature as a card has it (A2A 1.0, section 4.4.7). */
export type CardSignature = { protected: string; signature: string }

/**
 * The signature of a card as it is answered, without `signatures` (A2A 1.0, section 8.4): a detached JWS (RFC 7515) over its canonical JSON
 * (RFC 8785), without what is empty.
 */
export function signCard(
  { key, baseUrl }: CardSigner,
  { signatures: _, ...card }: Readonly<Record<string, unknown>>,
): CardSignature {
  const { kid } = key.jwk
  const header = { alg: 'EdDSA', kid, typ: 'JOSE', jku: `${baseUrl}/.well-known/jwks.json` }
  const protectedHeader = encode(JSON.stringify(header))
  const signed = Buffer.from(`${protectedHeader}.${encode(canonicalJson(filled(card)))}`, 'ascii')
  return { protected: protectedHeader, signature: Buffer.from(key.sign(signed)).toString('base64url') }
}

/** Canonical JSON (RFC 8785) of a value of JSON; names are sorted by their UTF-16 units, as JavaScript compares texts. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, each]) => `${JSON.stringify(name)}:${canonicalJson(each)}`)
  return `{${members.join(',')}}`
}

/** A value without the members and elements that are empty, as the official clients read it; undefined where nothing is left. */
function filled(value: unknown): unknown {
  if (value === '' || value === null) return undefined
  if (typeof value !== 'object') return value
  const isList = Array.isArray(value)
  const kept = Object.entries(value)
    .map(([name, each]) => [name, filled(each)] as const)
    .filter(([, each]) => each !== undefined)
  if (kept.length === 0) return undefined
  return isList ? kept.map(([, each]) => each) : Object.fromEntries(kept)
}

const encode = (text: string): string => Buffer.from(text, 'utf8').toString('base64url')
