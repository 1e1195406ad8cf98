import { equalBytes } from '../equal-bytes.ts'
import { AttestationError } from './attestation-error.ts'
import { type DerElement, derElement, derElements, derSequence, derTag, expectTag } from './der.ts'

/** What a certificate's extensions allow its key to do (RFC 5280 section 4.2). */
export type CertificateRights = {
  readonly isAuthority: boolean
  /** How many authorities may stand between this one and the leaf; undefined is any number. */
  readonly pathLength: number | undefined
  /** The first byte of the key usage, 0 when there is none. */
  readonly keyUsage: number
}

/** Bits of the key usage (RFC 5280 section 4.2.1.3). */
export const keyUsageBit = { digitalSignature: 0x80, certificateSign: 0x04 } as const

// 2.5.29.19 and 2.5.29.15.
const basicConstraints = Uint8Array.of(0x55, 0x1d, 0x13)
const keyUsage = Uint8Array.of(0x55, 0x1d, 0x0f)
const objectIdentifier = 0x06
const isTrue = 0xff

const refused = (reason: string): AttestationError => new AttestationError('certificate_extension', reason)

/** Reads the extensions of a certificate; without any, it may do nothing. Throws `AttestationError`. */
export function certificateRights(field: DerElement | undefined): CertificateRights {
  let rights: CertificateRights = { isAuthority: false, pathLength: undefined, keyUsage: 0 }
  if (field === undefined) return rights
  const seen: Uint8Array[] = []
  const list = derSequence(derElement(expectTag(field, derTag.extensions).content, derTag.sequence))
  for (const extension of list) {
    const { id, isCritical, value } = readExtension(extension)
    if (seen.some((other) => equalBytes(other, id))) throw refused('twice')
    seen.push(id)
    if (equalBytes(id, basicConstraints)) rights = { ...rights, ...constraints(value) }
    else if (equalBytes(id, keyUsage)) rights = { ...rights, keyUsage: usage(value) }
    else if (isCritical) throw refused('critical, and nobody knows it')
  }
  return rights
}

function readExtension(extension: DerElement) {
  const [id, ...rest] = derSequence(extension)
  const value = rest.pop()
  const [critical, ...more] = rest
  if (more.length > 0) throw refused('not an extension')
  if (critical !== undefined && !isYes(critical)) throw refused('a flag in another form')
  return {
    id: expectTag(id, objectIdentifier).content,
    isCritical: critical !== undefined,
    value: expectTag(value, derTag.octetString).content,
  }
}

/** TRUE; FALSE is the default of each flag here, which DER leaves out. */
function isYes(element: DerElement): boolean {
  const { content } = expectTag(element, derTag.boolean)
  return content.length === 1 && content[0] === isTrue
}

function constraints(value: Uint8Array): Pick<CertificateRights, 'isAuthority' | 'pathLength'> {
  const [authority, length, ...more] = derElements(derElement(value, derTag.sequence).content)
  if (authority === undefined) return { isAuthority: false, pathLength: undefined }
  if (!isYes(authority) || more.length > 0) throw refused('basic constraints')
  return { isAuthority: true, pathLength: length === undefined ? undefined : smallNumber(length) }
}

function smallNumber(element: DerElement): number {
  const [value, ...more] = expectTag(element, derTag.integer).content
  if (value === undefined || value >= 0x80 || more.length > 0) throw refused('path length')
  return value
}

function usage(value: Uint8Array): number {
  // The first byte says how many bits of the last one count for nothing.
  const [, bits] = derElement(value, derTag.bitString).content
  if (bits === undefined) throw refused('key usage')
  return bits
}
