import { AttestationError } from './attestation-error.ts'
import { strictCbor } from './strict-cbor.ts'

/** A Nitro attestation document (AWS, "Verifying the root of trust", section on syntactical validation). */
export type AttestationDocument = {
  moduleId: string
  /** Unix time in ms. */
  timestampMs: number
  /** Platform configuration registers, 48 bytes (SHA-384) each. */
  measurements: ReadonlyMap<number, Uint8Array>
  certificate: Uint8Array
  /** From the root, which is to be compared with the pin, down to the leaf's issuer. */
  bundle: readonly Uint8Array[]
  publicKey: Uint8Array | undefined
  userData: Uint8Array | undefined
  nonce: Uint8Array | undefined
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

type Fields = ReadonlyMap<unknown, unknown>
const invalid = (field: string): AttestationError => new AttestationError('document_field', field)

/** Reads a document; every field within the bounds that AWS states, none unknown. Throws `AttestationError`. */
export function parseDocument(payload: Uint8Array): AttestationDocument {
  const document = strictCbor(payload, 'document', true)
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

function moduleId(document: Fields): string {
  const value = document.get('module_id')
  if (typeof value !== 'string' || value === '') throw invalid('module_id')
  return value
}

function timestampMs(document: Fields): number {
  const value = document.get('timestamp')
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value <= 0) throw invalid('timestamp')
  return value
}

function measurements(document: Fields): ReadonlyMap<number, Uint8Array> {
  const value = document.get('pcrs')
  if (!(value instanceof Map) || value.size === 0 || value.size > registersMax) throw invalid('pcrs')
  const registers = new Map<number, Uint8Array>()
  for (const [index, register] of value as Fields) {
    const isIndex = typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < registersMax
    if (!isIndex || !(register instanceof Uint8Array) || register.length !== registerBytes)
      throw invalid('pcrs')
    registers.set(index, register)
  }
  return registers
}

function bundle(document: Fields): readonly Uint8Array[] {
  const value: unknown = document.get('cabundle')
  if (!Array.isArray(value) || value.length === 0 || value.length > bundleMax) throw invalid('cabundle')
  return value.map((certificate) => certificateBytes(certificate, 'cabundle'))
}

function certificateBytes(value: unknown, field: string): Uint8Array {
  if (!(value instanceof Uint8Array) || value.length === 0 || value.length > 1024) throw invalid(field)
  return value
}

function optionalBytes(document: Fields, name: string, min: number, max: number): Uint8Array | undefined {
  const value = document.get(name)
  if (value === undefined || value === null) return undefined
  if (!(value instanceof Uint8Array) || value.length < min || value.length > max) throw invalid(name)
  return value
}
