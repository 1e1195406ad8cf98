import { expect, test } from 'vitest'
import { compileContracts } from './compile-contracts.ts'
import { devContracts } from './dev-contracts.ts'

test('the kept contracts are what their sources compile to', () => {
  expect(compileContracts()).toEqual(devContracts())
})
