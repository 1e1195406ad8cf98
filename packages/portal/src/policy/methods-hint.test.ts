import { networks } from '@symbolon/networks'
import { type NetworkName, networkNames, selectorForms } from '@symbolon/networks/names'
import { expect, test } from 'vitest'
import { methodsHint } from './methods-hint.ts'

const names = Object.keys(networkNames) as NetworkName[]

test('the field for methods says how the chosen network names them', () => {
  expect(methodsHint('evm')).toBe('All methods, or selectors: 0xa694fc3a …')
  expect(methodsHint('near')).toBe('All methods, or method names: deposit_and_stake …')
  expect(methodsHint('bitcoin')).toBe('All methods: this network doesn’t name them')
  expect(methodsHint(undefined)).toBe('All methods, or those you name')
})

test.each(names)('the example of %s is one that the network takes', (name) => {
  const form = networks.byName(name)?.policy?.selectorForm
  const example = selectorForms[name]?.example
  expect(form === undefined).toBe(example === undefined)
  if (example !== undefined) expect(form?.test(example)).toBe(true)
})
