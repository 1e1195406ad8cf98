import { type DecodeOptions, decode } from 'cborg'
import { AttestationError } from './attestation-error.ts'

// RFC 8949 section 4.2.1: shortest forms, definite lengths; maps stay maps so that no key becomes a prototype.
const strict: DecodeOptions = {
  strict: true,
  allowIndefinite: false,
  allowUndefined: false,
  allowInfinity: false,
  allowNaN: false,
  useMaps: true,
  rejectDuplicateMapKeys: true,
}

/** Decodes exactly one item; only where real documents need it may lengths be indefinite. */
export function strictCbor(bytes: Uint8Array, where: string, isIndefiniteAllowed = false): unknown {
  try {
    return decode(bytes, { ...strict, allowIndefinite: isIndefiniteAllowed })
  } catch (error) {
    throw new AttestationError('cbor', `${where}: ${error instanceof Error ? error.message : 'unreadable'}`)
  }
}
