import { expect, test } from 'vitest'
import { visibleText } from './visible-text.ts'

test('characters that hide or reorder text are spelled out', () => {
  expect(visibleText('pay\u202eeciL')).toBe('pay⟨U+202E⟩eciL')
  expect(visibleText('a\u200bb\u0000c\ufeffd\u2028e\u3164f\u{e0041}')).toBe(
    'a⟨U+200B⟩b⟨U+0000⟩c⟨U+FEFF⟩d⟨U+2028⟩e⟨U+3164⟩f⟨U+E0041⟩',
  )
  expect(visibleText('half \ud800')).toBe('half ⟨U+D800⟩')
})

test('plain text of any script, lines and emoji stay as they are', () => {
  for (const text of ['Zürich\n\tשלום 你好', 'ok 👍🏽 👩‍👩‍👧 ❤️ 🇨🇭', '<b>&amp;</b>'])
    expect(visibleText(text)).toBe(text)
})
