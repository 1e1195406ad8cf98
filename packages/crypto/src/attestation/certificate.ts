import { equalBytes } from '../equal-bytes.ts'
import { AttestationError } from './attestation-error.ts'
import { type CertificateRights, certificateRights } from './certificate-rights.ts'
import { type DerElement, derElement, derElements, derSequence, derTag, expectTag } from './der.ts'

/** An X.509 v3 certificate (RFC 5280) of a P-384 key, signed with ECDSA and SHA-384; nothing is verified yet. */
export type Certificate = CertificateRights & {
  /** The bytes that `signature` (r‖s, 96 bytes) signs. */
  readonly signed: Uint8Array
  readonly signature: Uint8Array
  /** Names in DER, to be compared byte by byte. */
  readonly issuer: Uint8Array
  readonly subject: Uint8Array
  /** Unix time in ms, both ends included. */
  readonly notBeforeMs: number
  readonly notAfterMs: number
  /** The uncompressed point, 97 bytes. */
  readonly publicKey: Uint8Array
}

const version3 = Uint8Array.of(2)
/** The identifier 1.2.840.10045.4.3.3, ecdsa-with-SHA384 (RFC 5758), without parameters. */
const ecdsaWithSha384 = Uint8Array.of(0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x03)
/** The identifiers 1.2.840.10045.2.1, id-ecPublicKey, and 1.3.132.0.34, secp384r1 (RFC 5480). */
const p384Key = Uint8Array.from([
  ...[0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01],
  ...[0x06, 0x05, 0x2b, 0x81, 0x04, 0x00, 0x22],
])
const pointBytes = 97
const scalarBytes = 48
const organizationName = Uint8Array.of(0x55, 0x04, 0x0a)

const malformed = (reason: string): AttestationError => new AttestationError('certificate_parse', reason)

/** Reads a certificate in DER. A critical extension that is not understood is refused. Throws `AttestationError`. */
export function parseCertificate(bytes: Uint8Array): Certificate {
  const [body, algorithm, signature, ...more] = derSequence(derElement(bytes, derTag.sequence))
  if (body === undefined || signature === undefined || more.length > 0) throw malformed('not a certificate')
  const [version, serial, innerAlgorithm, issuer, validity, subject, key, extensions, ...unknown] =
    derSequence(body)
  if (
    version?.tag !== derTag.version ||
    !equalBytes(derElement(version.content, derTag.integer).content, version3)
  )
    throw new AttestationError('certificate_version')
  for (const one of [algorithm, innerAlgorithm])
    if (!equalBytes(expectTag(one, derTag.sequence).content, ecdsaWithSha384))
      throw new AttestationError('certificate_algorithm')
  expectTag(serial, derTag.integer)
  const [notBefore, notAfter, ...others] = derSequence(validity)
  if (unknown.length > 0 || others.length > 0) throw malformed('a field that nobody knows')
  return {
    signed: body.bytes,
    signature: rawSignature(wholeBytes(signature)),
    issuer: expectTag(issuer, derTag.sequence).bytes,
    subject: expectTag(subject, derTag.sequence).bytes,
    notBeforeMs: timeMs(notBefore),
    notAfterMs: timeMs(notAfter),
    publicKey: p384Point(key),
    ...certificateRights(extensions),
  }
}

/** Whether an organization (O) of a name in DER has exactly this text. */
export function isOfOrganization(name: Uint8Array, organization: string): boolean {
  const text = new TextEncoder().encode(organization)
  return derSequence(derElement(name, derTag.sequence))
    .flatMap(({ content }) => derElements(content))
    .map(derSequence)
    .some(([type, value]) => isSame(type, organizationName) && isSame(value, text))
}

const isSame = (element: DerElement | undefined, content: Uint8Array): boolean =>
  element !== undefined && equalBytes(element.content, content)

function wholeBytes(element: DerElement | undefined): Uint8Array {
  const { content } = expectTag(element, derTag.bitString)
  if (content[0] !== 0) throw malformed('a bit string of no whole bytes')
  return content.subarray(1)
}

function p384Point(key: DerElement | undefined): Uint8Array {
  const [algorithm, point, ...more] = derSequence(key)
  const isP384 = equalBytes(expectTag(algorithm, derTag.sequence).content, p384Key)
  const bytes = wholeBytes(point)
  if (!isP384 || bytes.length !== pointBytes || more.length > 0) throw new AttestationError('certificate_key')
  return bytes
}

/** An ECDSA signature in DER as r‖s, which WebCrypto wants. */
function rawSignature(bytes: Uint8Array): Uint8Array {
  const [r, s, ...more] = derSequence(derElement(bytes, derTag.sequence))
  if (more.length > 0) throw malformed('signature')
  const raw = new Uint8Array(2 * scalarBytes)
  raw.set(scalar(r), 0)
  raw.set(scalar(s), scalarBytes)
  return raw
}

function scalar(element: DerElement | undefined): Uint8Array {
  const { content } = expectTag(element, derTag.integer)
  const [first = 0x80, second = 0x80] = content
  const isPadded = first === 0 && second >= 0x80
  const digits = isPadded ? content.subarray(1) : content
  if ((!isPadded && (first === 0 || first >= 0x80)) || digits.length > scalarBytes)
    throw malformed('signature')
  const bytes = new Uint8Array(scalarBytes)
  bytes.set(digits, scalarBytes - digits.length)
  return bytes
}

/** RFC 5280 section 4.1.2.5: both forms in UTC with whole seconds; two digits mean 1950 to 2049. */
function timeMs(element: DerElement | undefined): number {
  const text = String.fromCharCode(...(element?.content ?? []))
  const isShort = element?.tag === derTag.utcTime
  if (!isShort && element?.tag !== derTag.generalizedTime) throw malformed('time')
  const digits = isShort ? `${text < '50' ? '20' : '19'}${text}` : text
  const [, date, hour, minute, second] = /^(\d{8})(\d\d)(\d\d)(\d\d)Z$/.exec(digits) ?? []
  const day = date?.replace(/^(\d{4})(\d\d)/, '$1-$2-')
  const iso = `${day}T${hour}:${minute}:${second}.000Z`
  const ms = Date.parse(iso)
  // Date.parse takes February 30 for March 1 or 2.
  if (Number.isNaN(ms) || new Date(ms).toISOString() !== iso) throw malformed('time')
  return ms
}
