import { equalBytes } from '../equal-bytes.ts'
import { AttestationError } from './attestation-error.ts'
import type { Certificate } from './certificate.ts'
import { keyUsageBit } from './certificate-rights.ts'
import { isP384Signature } from './p384.ts'

/**
 * Verifies a chain of P-384 certificates, from the root down to the leaf, at a time in Unix ms (RFC 5280 section 6, as AWS
 * prescribes it for Nitro: no revocation). Whether the root is the right one is not its business. Rejects with
 * `AttestationError`.
 */
export async function verifyChain(chain: readonly Certificate[], atMs: number): Promise<void> {
  let issuer = chain[0]
  if (issuer === undefined) throw new AttestationError('certificate_parse', 'no certificate')
  for (const [index, certificate] of chain.entries()) {
    const where = `certificate ${index}`
    await verifyLink(certificate, issuer, { atMs, where })
    const below = chain.length - 2 - index
    if (below < 0) verifyLeaf(certificate, where)
    else verifyAuthority(certificate, below, where)
    issuer = certificate
  }
}

async function verifyLink(
  certificate: Certificate,
  issuer: Certificate,
  { atMs, where }: { atMs: number; where: string },
): Promise<void> {
  const isInTime = atMs >= certificate.notBeforeMs && atMs <= certificate.notAfterMs
  if (!isInTime) throw new AttestationError('certificate_time', where)
  if (!equalBytes(certificate.issuer, issuer.subject)) throw new AttestationError('certificate_name', where)
  if (!(await isP384Signature(issuer.publicKey, certificate.signature, certificate.signed)))
    throw new AttestationError('certificate_signature', where)
}

function verifyAuthority(
  { isAuthority, keyUsage, pathLength }: Certificate,
  below: number,
  where: string,
): void {
  if (!isAuthority) throw new AttestationError('certificate_authority', where)
  if ((keyUsage & keyUsageBit.certificateSign) === 0) throw new AttestationError('certificate_usage', where)
  if (pathLength !== undefined && pathLength < below)
    throw new AttestationError('certificate_path_length', where)
}

function verifyLeaf({ isAuthority, keyUsage }: Certificate, where: string): void {
  if (isAuthority) throw new AttestationError('certificate_authority', where)
  if ((keyUsage & keyUsageBit.digitalSignature) === 0) throw new AttestationError('certificate_usage', where)
}
