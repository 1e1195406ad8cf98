const lengthMax = 40
// A telephone number has seven or more.
const digitsMax = 6

/**
 * A name that a stranger may have chosen, as our emails show it, in quotes of ours: letters, digits and what names need. Mail programs find
 * no address, link or telephone number in it, and it is too short for a message.
 */
export function shownName(name: string): string {
  let digits = 0
  const words = name
    .normalize('NFKC')
    .replaceAll(/[^\p{L}\p{M}\p{Nd}'&,()-]+/gu, ' ')
    .replaceAll(/\p{Nd}/gu, (digit) => (++digits > digitsMax ? '' : digit))
    .trim()
  const characters = [...words]
  return characters.length <= lengthMax ? words : `${characters.slice(0, lengthMax).join('').trimEnd()}…`
}
