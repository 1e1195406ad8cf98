const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const euros = new Intl.NumberFormat('en', {
  style: 'currency',
  currency: 'EUR',
  minimumFractionDigits: 2,
  maximumFractionDigits: 4,
})

/** A whole number with separators. */
export function count(value: number): string {
  return whole.format(value)
}

/** A decimal amount in EUR, as the API returns it, with currency sign and separators. */
export function eur(text: string): string {
  return euros.format(Number(text))
}

/** A number with its noun: `1 wallet`, `2 wallets`. */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`
}

/** The first letters of the first two words, for a badge. */
export function initials(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? []
  return words
    .slice(0, 2)
    .map((word) => word.charAt(0).toUpperCase())
    .join('')
}
