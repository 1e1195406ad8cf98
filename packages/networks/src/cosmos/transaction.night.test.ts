import { test } from 'vitest'
import { aminoRounds, directRounds } from './cosmos-rounds.fuzz.ts'

test('100,000 mutated SignDocs are refused with NetworkError or read as cosmjs does', () => {
  directRounds(100_000)
}, 600_000)

test('100,000 mutated amino documents are refused with NetworkError or have a preview', () => {
  aminoRounds(100_000)
}, 600_000)
