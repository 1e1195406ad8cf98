import type { KeyObject } from 'node:crypto'
import { manifestSha256 } from '../../attestation/user-data.ts'
import { canonicalJson } from '../../canonical-json.ts'
import { jwkThumbprint } from '../../jwk.ts'
import { type Manifest, type ManifestContent, ManifestError, readManifest } from './manifest.ts'
import { byKid, isOperatorSignature, type OperatorSignature, signAsOperator } from './operator-signature.ts'

const textPrefix = 'symbolon enclave manifest v1\0'

/** The bytes that operators sign: a text of its own, then the RFC 8785 JSON of the manifest without its signatures. */
export function manifestText({
  signatures: _,
  ...manifest
}: Omit<Manifest, 'signatures'> & Partial<Manifest>) {
  return Buffer.from(`${textPrefix}${canonicalJson(manifest)}`)
}

/** Version 1 of a ring's chain. Throws `ManifestError`. */
export function firstManifest(ringId: string, content: ManifestContent): Manifest {
  return readManifest({ version: 1, ring_id: ringId, previous_sha256: null, signatures: [], ...content })
}

/** The manifest that follows `previous`, signed by these operators' private keys. Throws `ManifestError` where it would not be accepted. */
export function nextManifest(
  previous: Manifest,
  content: ManifestContent,
  signers: readonly KeyObject[],
): Manifest {
  const draft = {
    version: previous.version + 1,
    ring_id: previous.ring_id,
    previous_sha256: manifestSha256(previous),
    ...content,
  }
  const signatures = signers.map((signer) => signManifest(draft, signer)).sort(byKid)
  const manifest = readManifest({ ...draft, signatures })
  assertFollows(manifest, previous)
  return manifest
}

/** Signs a manifest by an operator's private key on P-256. */
export const signManifest = (manifest: Omit<Manifest, 'signatures'>, signer: KeyObject): OperatorSignature =>
  signAsOperator(manifestText(manifest), signer)

/**
 * Reads a chain from parsed JSON, oldest first, and returns its newest manifest: version 1 follows none, has no signatures and must be vouched for by
 * the caller; each later one is the next version of the same ring, names the hash of the one before and is signed by at least `quorum.k` of that
 * one's operators, and by nobody else. Throws `ManifestError`.
 */
export function readManifestChain(values: readonly unknown[], ringId: string): Manifest {
  const [first, ...later] = values.map(readManifest)
  if (first === undefined) throw new ManifestError('The chain has no manifest.')
  if (first.version !== 1 || first.previous_sha256 !== null || first.signatures.length > 0)
    throw new ManifestError('The chain does not begin with version 1.')
  if (first.ring_id !== ringId) throw new ManifestError('The manifest is of another key ring.')
  let newest = first
  for (const manifest of later) {
    assertFollows(manifest, newest)
    newest = manifest
  }
  return newest
}

/** Throws `ManifestError` unless `manifest` may follow `previous`. */
export function assertFollows(manifest: Manifest, previous: Manifest): void {
  const refuse = (what: string) => new ManifestError(`Manifest ${manifest.version} ${what}.`)
  if (manifest.version !== previous.version + 1) throw refuse('is not the next version')
  if (manifest.ring_id !== previous.ring_id) throw refuse('is of another key ring')
  if (manifest.previous_sha256 !== manifestSha256(previous)) throw refuse('follows another manifest')
  const operators = new Map(previous.operators.map((jwk) => [jwkThumbprint(jwk), jwk]))
  const text = manifestText(manifest)
  // The reader lets each kid stand once.
  for (const { kid, signature } of manifest.signatures) {
    const operator = operators.get(kid)
    if (operator === undefined) throw refuse('is signed by somebody else')
    if (!isOperatorSignature(text, signature, operator)) throw refuse('has a signature that does not verify')
  }
  if (manifest.signatures.length < previous.quorum.k) throw refuse('is signed by too few operators')
}
