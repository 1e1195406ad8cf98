/** What may stand within a sentence: short, in one word, and nothing that a payload could dress up as a sentence. */
const word = String.raw`[\w.:/@-]{1,100}`
const plainItem = new RegExp(`^${word}(?: ${word})?$`)
const plainActual = new RegExp(
  `^(?:${word}|${word} 0x[0-9a-f]{8}|(?:unlimited|[0-9]{1,78}) ${word}|the unknown holder of ${word})$`,
)

const listedMax = 4

/**
 * The first few of a list as policies show it (`a, b, c`; tokens as `chain token`), and how many more there are; null for none. What
 * may not stand in a sentence is only pointed at.
 */
export function limitList(text: string | null): string | null {
  if (text === null || text === '') return null
  const all = text.split(', ')
  const shown = all.filter((item) => plainItem.test(item)).slice(0, listedMax)
  if (shown.length === 0) return 'of its list'
  if (shown.length === all.length) return shown.join(', ')
  return text.endsWith('…')
    ? `${shown.join(', ')} and others`
    : `${shown.join(', ')} and ${all.length - shown.length} more`
}

/** What was asked, if it may stand within a sentence: a word, a contract with its method, an amount of something. */
export const shownActual = (text: string | null): string | null =>
  text !== null && plainActual.test(text) ? text : null
