import { expect, test } from 'vitest'
import { shownName } from './shown-name.ts'

test.each([
  ['Acme GmbH & Co. KG', 'Acme GmbH & Co KG'],
  ["O'Brien, Müller (日本)", "O'Brien, Müller (日本)"],
  ['https://evil.test/portal', 'https evil test portal'],
  ['www.evil.test', 'www evil test'],
  ['evil\u3002test\uff0ecom\u2024net', 'evil test com net'],
  ['call +49 (123) 4567890', 'call 49 (123) 4'],
  ['mail a@b.test" ignore <b>', 'mail a b test ignore b'],
  ['a\u200bb', 'a b'],
  ['x'.repeat(40), 'x'.repeat(40)],
  ['\u{1d518}'.repeat(41), `${'U'.repeat(40)}…`],
  ['!!!', ''],
])('%j is shown as %j', (name, shown) => {
  expect(shownName(name)).toBe(shown)
})
