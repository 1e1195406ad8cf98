/** A table of fields: `type: [length of the key after its type, length of the value, only in this version]`. */
type Fields = Readonly<Record<number, readonly [key: number, value: number, version?: 0 | 2]>>

/** Any length. */
const any = -1
/** A public key of 33 bytes, or of 65 where it is not compressed. */
const key = 33
/** A Schnorr signature of 64 bytes, or of 65 with its hash type. */
const schnorr = 64

/** The fields of a PSBT that BIP-174, BIP-370 and BIP-371 define, by the map they are in. */
export const psbtFields: Readonly<Record<'global' | 'input' | 'output', Fields>> = {
  global: {
    0: [0, any, 0],
    1: [78, any],
    2: [0, 4, 2],
    3: [0, 4, 2],
    4: [0, any, 2],
    5: [0, any, 2],
    6: [0, 1, 2],
    251: [0, 4],
  },
  input: {
    0: [0, any],
    1: [0, any],
    2: [key, any],
    3: [0, 4],
    4: [0, any],
    5: [0, any],
    6: [key, any],
    7: [0, any],
    8: [0, any],
    9: [0, any],
    10: [20, any],
    11: [32, any],
    12: [20, any],
    13: [32, any],
    14: [0, 32, 2],
    15: [0, 4, 2],
    16: [0, 4, 2],
    17: [0, 4, 2],
    18: [0, 4, 2],
    19: [0, schnorr],
    20: [64, schnorr],
    21: [any, any],
    22: [32, any],
    23: [0, 32],
    24: [0, 32],
  },
  output: {
    0: [0, any],
    1: [0, any],
    2: [key, any],
    3: [0, 8, 2],
    4: [0, any, 2],
    5: [0, 32],
    6: [0, any],
    7: [32, any],
  },
}

/** Whether a length is one that the table allows: some have a second form, one byte or one coordinate longer. */
export function fits(length: number, allowed: number): boolean {
  return (
    allowed === any ||
    length === allowed ||
    (allowed === key && length === 65) ||
    (allowed === schnorr && length === 65)
  )
}
