import { AttestationError } from './attestation-error.ts'
import { type CborMap, readCbor } from './cbor.ts'

/** A Nitro attestation document (AWS, "Verifying the root of trust", section on syntactical validation). */
export type AttestationDocument = {
  readonly moduleId: string
  /** Unix time in ms. */
  readonly timestampMs: number
  /** Platform configuration registers, 48 bytes (SHA-384) each. */
  readonly measurements: ReadonlyMap<number, Uint8Array>
  readonly certificate: Uint8Array
  /** From the root, which is to be compared with the pin, down to the leaf's issuer. */
  readonly bundle: readonly [Uint8Array, ...Uint8Array[]]
  readonly publicKey: Uint8Array | undefined
  readonly userData: Uint8Array | undefined
  readonly nonce: Uint8Array | undefined
}

const fields: readonly unknown[] = [
  'module_id',
  'digest',
  'timestamp',
  'pcrs',
  'certificate',
  'cabundle',
  'public_key',
  'user_data',
  'nonce',
]
const registersMax = 32
const registerBytes = 48
const bundleMax = 6

const invalid = (field: string): AttestationError => new AttestationError('document_field', field)

/** Reads a document; every field within the bounds that AWS states, none unknown. Throws `AttestationError`. */
export function parseDocument(payload: Uint8Array): AttestationDocument {
  const document = readCbor(payload, 'document', true)
  if (!(document instanceof Map)) throw new AttestationError('document_shape')
  for (const name of document.keys()) if (!fields.includes(name)) throw invalid(String(name))
  if (document.get('digest') !== 'SHA384') throw invalid('digest')
  return {
    moduleId: moduleId(document),
    timestampMs: timestampMs(document),
    measurements: measurements(document),
    certificate: certificateBytes(document.get('certificate'), 'certificate'),
    bundle: bundle(document),
    publicKey: optionalBytes(document, 'public_key', 1, 1024),
    userData: optionalBytes(document, 'user_data', 0, 512),
    nonce: optionalBytes(document, 'nonce', 0, 512),
  }
}

function moduleId(document: CborMap): string {
  const value = document.get('module_id')
  if (typeof value !== 'string' || value === '') throw invalid('module_id')
  return value
}

function timestampMs(document: CborMap): number {
  const value = document.get('timestamp')
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value <= 0) throw invalid('timestamp')
  return value
}

function measurements(document: CborMap): ReadonlyMap<number, Uint8Array> {
  const value = document.get('pcrs')
  if (!(value instanceof Map) || value.size === 0 || value.size > registersMax) throw invalid('pcrs')
  const registers = new Map<number, Uint8Array>()
  for (const [index, register] of value) {
    const isIndex = typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < registersMax
    if (!isIndex || !(register instanceof Uint8Array) || register.length !== registerBytes)
      throw invalid('pcrs')
    registers.set(index, register)
  }
  return registers
}

function bundle(document: CborMap): readonly [Uint8Array, ...Uint8Array[]] {
  const value: unknown = document.get('cabundle')
  if (!Array.isArray(value) || value.length > bundleMax) throw invalid('cabundle')
  const [root, ...rest] = value.map((certificate) => certificateBytes(certificate, 'cabundle'))
  if (root === undefined) throw invalid('cabundle')
  return [root, ...rest]
}

function certificateBytes(value: unknown, field: string): Uint8Array {
  if (!(value instanceof Uint8Array) || value.length === 0 || value.length > 1024) throw invalid(field)
  return value
}

function optionalBytes(document: CborMap, name: string, min: number, max: number): Uint8Array | undefined {
  const value = document.get(name)
  if (value === undefined || value === null) return undefined
  if (!(value instanceof Uint8Array) || value.length < min || value.length > max) throw invalid(name)
  return value
}
