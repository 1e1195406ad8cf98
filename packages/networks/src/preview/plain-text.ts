/** Control, format (direction) and unassigned characters: they make a text read as what it is not. */
const hidden = /[^\P{C}\n\t]/u

/** A text for one line of a preview, line breaks as spaces; `undefined` when it holds hidden characters. */
export function plainText(text: string): string | undefined {
  return hidden.test(text) ? undefined : text.replace(/[\n\t]/g, ' ')
}
