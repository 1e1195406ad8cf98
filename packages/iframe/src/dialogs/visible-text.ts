/**
 * Recognised emoji, kept whole, or one character that shows nothing or turns others around: controls, directions,
 * joiners, separators, unassigned ones (Unicode UTS 51, UAX 44), and the blank of Braille.
 */
const pattern = '\\p{RGI_Emoji}|[[\\p{C}\\p{Default_Ignorable_Code_Point}\\p{Zl}\\p{Zp}\\u{2800}]--[\\n\\t]]'
/** Made from a text: this target's TypeScript does not know the flag yet. */
const flags = 'gv'
const hidden = new RegExp(pattern, flags)
const nothingSeen = /^[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800]/u

/** A text with every character that hides or reorders something spelled out, as in "abc⟨U+202E⟩def". */
export function visibleText(text: string): string {
  return text.replace(hidden, (found) => (nothingSeen.test(found) ? spelled(found) : found))
}

function spelled(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`
}
