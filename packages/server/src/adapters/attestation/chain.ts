import { createHash, type KeyObject, timingSafeEqual, X509Certificate } from 'node:crypto'
import { AttestationError } from './attestation-error.ts'
import { type CertificateFacts, certificateFacts } from './certificate-der.ts'

/** A certificate chain: `bundle[0]` must be the pinned root; `at` is Unix time in ms. */
export type ChainInput = {
  leaf: Uint8Array
  bundle: readonly Uint8Array[]
  rootSha256: Uint8Array
  at: number
}

type Link = { certificate: X509Certificate; key: KeyObject; facts: CertificateFacts; where: string }

// 1.2.840.10045.4.3.3, ecdsa-with-SHA384 (RFC 5758).
const ecdsaWithSha384 = '2a8648ce3d040303'
const digitalSignature = 0x80
const certificateSign = 0x04

/**
 * Verifies a chain of P-384 certificates from the pinned root to the leaf (RFC 5280 section 6, as AWS prescribes it
 * for Nitro: no revocation) and answers the leaf's public key. Throws `AttestationError`.
 */
export function verifyChain({ leaf, bundle, rootSha256, at }: ChainInput): KeyObject {
  const root = bundle[0]
  if (root === undefined || !timingSafeEqual(createHash('sha256').update(root).digest(), rootSha256)) {
    throw new AttestationError('root_mismatch')
  }
  const links = [...bundle, leaf].map(readLink)
  let issuer: Link | undefined
  for (const [index, link] of links.entries()) {
    verifyLink(link, issuer ?? link, at)
    const below = links.length - 2 - index
    if (below < 0) verifyLeaf(link)
    else verifyAuthority(link, below)
    issuer = link
  }
  if (issuer === undefined) throw new AttestationError('certificate_parse')
  return issuer.key
}

function readLink(bytes: Uint8Array, index: number): Link {
  const where = `certificate ${index}`
  const facts = certificateFacts(bytes)
  try {
    const certificate = new X509Certificate(bytes)
    return { certificate, key: certificate.publicKey, facts, where }
  } catch {
    throw new AttestationError('certificate_parse', where)
  }
}

function verifyLink({ certificate, key, facts, where }: Link, issuer: Link, at: number): void {
  if (facts.version !== 3) throw new AttestationError('certificate_version', where)
  if (facts.signatureAlgorithm !== ecdsaWithSha384) throw new AttestationError('certificate_algorithm', where)
  if (key.asymmetricKeyType !== 'ec' || key.asymmetricKeyDetails?.namedCurve !== 'secp384r1') {
    throw new AttestationError('certificate_key', where)
  }
  const isInTime = at >= certificate.validFromDate.getTime() && at <= certificate.validToDate.getTime()
  if (!isInTime) throw new AttestationError('certificate_time', where)
  if (certificate.issuer !== issuer.certificate.subject) throw new AttestationError('certificate_name', where)
  if (!isSignedBy(certificate, issuer.key)) throw new AttestationError('certificate_signature', where)
}

function isSignedBy(certificate: X509Certificate, key: KeyObject): boolean {
  try {
    return certificate.verify(key)
  } catch {
    return false
  }
}

function verifyAuthority({ facts, where }: Link, below: number): void {
  if (!facts.isAuthority) throw new AttestationError('certificate_authority', where)
  if ((facts.keyUsage & certificateSign) === 0) throw new AttestationError('certificate_usage', where)
  if (facts.pathLength !== undefined && facts.pathLength < below) {
    throw new AttestationError('certificate_path_length', where)
  }
}

function verifyLeaf({ facts, where }: Link): void {
  if (facts.isAuthority) throw new AttestationError('certificate_authority', where)
  if ((facts.keyUsage & digitalSignature) === 0) throw new AttestationError('certificate_usage', where)
}
