/** Control, format (direction) and unassigned characters: they make a text read as what it is not. */
const hidden = /[^\P{C}\n\t]/u

const beyondAscii = /[^\x20-\x7e\n\t]/

/** A text for one line of a preview, line breaks as spaces; `undefined` when it holds hidden characters. */
export function plainText(text: string): string | undefined {
  // Most texts are ASCII, for which the classes of Unicode take many times as long.
  return beyondAscii.test(text) && hidden.test(text) ? undefined : text.replace(/[\n\t]/g, ' ')
}
