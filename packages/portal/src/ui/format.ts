const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const euros = new Intl.NumberFormat('en', {
  style: 'currency',
  currency: 'EUR',
  minimumFractionDigits: 2,
  maximumFractionDigits: 4,
})

/** A number of things, with separators. */
export function count(value: number): string {
  return whole.format(value)
}

/** An amount of the wire (decimal EUR) as people read it. */
export function eur(text: string): string {
  return euros.format(Number(text))
}

/** So many of something: `1 wallet`, `2 wallets`. */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`
}

/** The first letters of one or two words, for a badge. */
export function initials(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? []
  return words
    .slice(0, 2)
    .map((word) => word.charAt(0).toUpperCase())
    .join('')
}
