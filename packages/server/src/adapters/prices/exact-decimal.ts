const decimal = /^(\d{1,12})(?:\.(\d{1,18}))?$/

/** A positive decimal text times 10^8, rounded up: a cost is never counted too low. `undefined` for anything else. */
export function decimalToE8(text: string): bigint | undefined {
  const [, whole, fraction = ''] = decimal.exec(text) ?? []
  if (whole === undefined) return undefined
  const scaled = BigInt(whole + fraction.padEnd(18, '0'))
  const value = divideUp(scaled, 10n ** 10n)
  return value > 0n ? value : undefined
}

/** The quotient of two positive numbers, rounded up. */
export const divideUp = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor - 1n) / divisor
