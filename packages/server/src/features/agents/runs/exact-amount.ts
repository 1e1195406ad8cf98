const decimalText = /^(0|[1-9]\d{0,59})(?:\.(\d{1,77}))?$/

/** The amount in its smallest unit, exactly: undefined for a text that is not a decimal number, or finer than the unit. */
export function exactAmount(text: string, decimals: number): bigint | undefined {
  const [, whole, fraction = ''] = decimalText.exec(text) ?? []
  if (whole === undefined) return undefined
  const digits = fraction.replace(/0+$/, '')
  if (digits.length > decimals) return undefined
  return BigInt(whole + digits.padEnd(decimals, '0'))
}
