import { expect, test } from 'vitest'
import { slugOf } from './slug.ts'

test.each([
  ['Süßwaren', 'susswaren'],
  ['SÜSSWAREN GROẞHANDEL', 'susswaren-grosshandel'],
  ['Café Nørd', 'cafe-nord'],
  ['Æther & Œuvre', 'aether-oeuvre'],
  ['Łódź', 'lodz'],
  ['İstanbul Işık', 'istanbul-isik'],
  ['Þór', 'thor'],
  ['ﬁnance № 5', 'finance-no-5'],
  ['- 7 -', '7'],
  ['株式会社', ''],
  [`${'a'.repeat(62)} b`, 'a'.repeat(62)],
])('the slug of %s is %j', (name, slug) => {
  expect(slugOf(name)).toBe(slug)
})
