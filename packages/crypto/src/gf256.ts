/**
 * Multiplies in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1 (0x11b, FIPS 197 section 4.2). Neither branches nor memory
 * addresses depend on the operands, so that timing and cache reveal nothing about a share.
 */
export function multiply(a: number, b: number): number {
  let product = 0
  let addend = a
  for (let bit = 0; bit < 8; bit++) {
    product ^= -((b >>> bit) & 1) & addend
    addend = ((addend << 1) ^ (-(addend >>> 7) & 0x11b)) & 0xff
  }
  return product
}

/** The multiplicative inverse as a^254, in constant time; 0 for 0. */
export function invert(a: number): number {
  const a2 = multiply(a, a)
  const a3 = multiply(a2, a)
  const a12 = raiseTo4(a3)
  const a15 = multiply(a12, a3)
  const a240 = raiseTo4(raiseTo4(a15))
  return multiply(multiply(a240, a12), a2)
}

const raiseTo4 = (a: number): number => {
  const square = multiply(a, a)
  return multiply(square, square)
}
