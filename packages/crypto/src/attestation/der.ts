import { AttestationError } from './attestation-error.ts'

/** One element of DER (X.690): its tag, its content and all its bytes. */
export type DerElement = { readonly tag: number; readonly content: Uint8Array; readonly bytes: Uint8Array }

/** The tags of the elements that certificates are made of. */
export const derTag = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  version: 0xa0,
  extensions: 0xa3,
} as const

const malformed = (reason: string): AttestationError => new AttestationError('certificate_parse', reason)

/** The elements that fill these bytes exactly. Throws `AttestationError` on any length that is not in its one DER form. */
export function derElements(bytes: Uint8Array): readonly DerElement[] {
  const elements: DerElement[] = []
  for (let offset = 0; offset < bytes.length; ) {
    const element = elementAt(bytes, offset)
    elements.push(element)
    offset += element.bytes.length
  }
  return elements
}

/** The one element that these bytes are. Throws `AttestationError`. */
export function derElement(bytes: Uint8Array, tag: number): DerElement {
  const [element, ...more] = derElements(bytes)
  if (element === undefined || more.length > 0) throw malformed('more or less than one element')
  return expectTag(element, tag)
}

/** The children of a sequence. Throws `AttestationError` for an element of another kind. */
export const derSequence = (element: DerElement | undefined): readonly DerElement[] =>
  derElements(expectTag(element, derTag.sequence).content)

/** The element, which must be there and of this kind. Throws `AttestationError`. */
export function expectTag(element: DerElement | undefined, tag: number): DerElement {
  if (element?.tag !== tag) throw malformed(`element 0x${tag.toString(16)} is missing`)
  return element
}

function elementAt(bytes: Uint8Array, offset: number): DerElement {
  const tag = bytes[offset]
  const first = bytes[offset + 1]
  if (tag === undefined || first === undefined) throw malformed('end')
  if ((tag & 0x1f) === 0x1f) throw malformed('a tag of several bytes')
  let length = first
  let start = offset + 2
  if (first >= 0x80) {
    const count = first & 0x7f
    if (count === 0 || count > 2) throw malformed('length')
    length = 0
    for (let i = 0; i < count; i++) length = length * 256 + (bytes[start + i] ?? 0)
    if (length < (count === 1 ? 0x80 : 0x100)) throw malformed('length in another form')
    start += count
  }
  const end = start + length
  if (end > bytes.length) throw malformed('overrun')
  return { tag, content: bytes.subarray(start, end), bytes: bytes.subarray(offset, end) }
}
