// Values that may be in a sentence are short single words: a payload must not write a sentence of its own.
const word = String.raw`[\w.:/@-]{1,100}`
const plainItem = new RegExp(`^${word}(?: ${word})?$`)
const plainActual = new RegExp(
  `^(?:${word}|${word} 0x[0-9a-f]{8}|(?:unlimited|[0-9]{1,78}) ${word}|the unknown holder of ${word})$`,
)

const listedMax = 4

/**
 * The first few items of a list as policies show it (`a, b, c`; tokens as `chain token`), and how many more there are; null for an empty
 * list. Items that may not be in a sentence are only counted.
 */
export function limitList(text: string | null): string | null {
  if (text === null || text === '') return null
  const all = text.split(', ')
  const shown = all.filter((item) => plainItem.test(item)).slice(0, listedMax)
  if (shown.length === 0) return 'on its list'
  if (shown.length === all.length) return shown.join(', ')
  return text.endsWith('…')
    ? `${shown.join(', ')} and others`
    : `${shown.join(', ')} and ${all.length - shown.length} more`
}

/** The value asked for, if it may be in a sentence: a word, a contract with its method, or an amount. */
export const shownActual = (text: string | null): string | null =>
  text !== null && plainActual.test(text) ? text : null
