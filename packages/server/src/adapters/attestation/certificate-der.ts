import { AttestationError } from './attestation-error.ts'

/** Fields of a certificate that node:crypto's X509Certificate does not expose (RFC 5280). */
export type CertificateFacts = {
  version: number
  /** Content of the signature algorithm's object identifier, hex. */
  signatureAlgorithm: string
  isAuthority: boolean
  pathLength: number | undefined
  /** First byte of the key usage, 0 when there is none. */
  keyUsage: number
}

type Element = { tag: number; start: number; end: number }

const basicConstraints = '551d13'
const keyUsage = '551d0f'

function elementAt(bytes: Uint8Array, offset: number, limit: number): Element {
  const tag = bytes[offset]
  const first = bytes[offset + 1]
  if (tag === undefined || first === undefined) throw new AttestationError('certificate_parse', 'end')
  let length = first
  let start = offset + 2
  if (first >= 0x80) {
    const count = first & 0x7f
    if (count === 0 || count > 3) throw new AttestationError('certificate_parse', 'length')
    length = 0
    for (let i = 0; i < count; i++) length = length * 256 + (bytes[start + i] ?? 0)
    start += count
  }
  if (start + length > limit) throw new AttestationError('certificate_parse', 'overrun')
  return { tag, start, end: start + length }
}

function childrenOf(bytes: Uint8Array, parent: Element): Element[] {
  const children: Element[] = []
  for (let offset = parent.start; offset < parent.end; ) {
    const child = elementAt(bytes, offset, parent.end)
    children.push(child)
    offset = child.end
  }
  return children
}

const hexOf = (bytes: Uint8Array, element: Element): string =>
  Buffer.from(bytes.subarray(element.start, element.end)).toString('hex')

function at(elements: readonly Element[], index: number): Element {
  const element = elements[index]
  if (element === undefined) throw new AttestationError('certificate_parse', 'element missing')
  return element
}

/** Reads the facts; a critical extension that is not understood is refused. Throws `AttestationError`. */
export function certificateFacts(bytes: Uint8Array): CertificateFacts {
  const root = elementAt(bytes, 0, bytes.length)
  if (root.end !== bytes.length) throw new AttestationError('certificate_parse', 'trailing bytes')
  const parts = childrenOf(bytes, root)
  const facts: CertificateFacts = {
    version: 1,
    signatureAlgorithm: hexOf(bytes, at(childrenOf(bytes, at(parts, 1)), 0)),
    isAuthority: false,
    pathLength: undefined,
    keyUsage: 0,
  }
  for (const field of childrenOf(bytes, at(parts, 0))) {
    if (field.tag === 0xa0) facts.version = 1 + (bytes[field.end - 1] ?? 0)
    if (field.tag === 0xa3) readExtensions(bytes, field, facts)
  }
  return facts
}

function readExtensions(bytes: Uint8Array, field: Element, facts: CertificateFacts): void {
  const seen = new Set<string>()
  for (const extension of childrenOf(bytes, at(childrenOf(bytes, field), 0))) {
    const parts = childrenOf(bytes, extension)
    const id = hexOf(bytes, at(parts, 0))
    const value = at(parts, parts.length - 1)
    const isCritical = parts.length === 3 && bytes[at(parts, 1).start] !== 0
    if (seen.has(id)) throw new AttestationError('certificate_extension', 'twice')
    seen.add(id)
    if (id === basicConstraints) readConstraints(bytes, value, facts)
    else if (id === keyUsage) facts.keyUsage = bytes[elementAt(bytes, value.start, value.end).start + 1] ?? 0
    else if (isCritical) throw new AttestationError('certificate_extension', id)
  }
}

function readConstraints(bytes: Uint8Array, value: Element, facts: CertificateFacts): void {
  for (const part of childrenOf(bytes, elementAt(bytes, value.start, value.end))) {
    if (part.tag === 0x01) facts.isAuthority = bytes[part.start] !== 0
    if (part.tag === 0x02) facts.pathLength = bytes[part.start] ?? 0
  }
}
