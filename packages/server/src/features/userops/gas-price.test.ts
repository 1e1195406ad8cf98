import { expect, test } from 'vitest'
import { boundGasPrice } from './gas-price.ts'

const gwei = 10n ** 9n
const price = (max: bigint, tip: bigint) => ({ maxFeePerGas: max, maxPriorityFeePerGas: tip })

test('a bundler gets what it asks for as long as the node can justify it', () => {
  expect(boundGasPrice(10n * gwei, price(22n * gwei, 2n * gwei), price(13n * gwei, 3n * gwei))).toEqual(
    price(13n * gwei, 3n * gwei),
  )
})

test('a bundler that asks for anything beyond is cut to twice the base fee and a tip that the node has seen', () => {
  expect(boundGasPrice(10n * gwei, price(22n * gwei, 5n * gwei), price(10n ** 15n, 10n ** 15n))).toEqual(
    price(35n * gwei, 15n * gwei),
  )
  expect(boundGasPrice(1n, price(3n, 1n), price(10n ** 15n, 10n ** 15n))).toEqual(
    price(2n * gwei + 2n, 2n * gwei),
  )
})

test('without a bundler that says a price the node decides', () => {
  expect(boundGasPrice(10n * gwei, price(22n * gwei, 2n * gwei), undefined)).toEqual(
    price(22n * gwei, 2n * gwei),
  )
})

test('the price is never below its own tip', () => {
  expect(boundGasPrice(0n, price(gwei, gwei), price(1n, gwei))).toEqual(price(gwei, gwei))
})
