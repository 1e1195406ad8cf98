import * as z from 'zod'

/** A number as everybody writes it: decimal digits without sign, exponent, fraction, spaces or leading zeros. */
export const wholeNumber = (min: number, max: number) => {
  const wants = `must be a whole number from ${min} to ${max}`
  return z
    .string(wants)
    .regex(/^(0|[1-9]\d{0,8})$/, wants)
    .transform(Number)
    .pipe(z.int().min(min, wants).max(max, wants))
}
