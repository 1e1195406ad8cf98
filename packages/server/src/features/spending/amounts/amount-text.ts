/** A number of smallest units as people read it: exact, with a point and no zeros that say nothing. */
export function amountText(smallest: bigint, decimals: number): string {
  const digits = smallest.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}
