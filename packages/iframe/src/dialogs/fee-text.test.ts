import { expect, test } from 'vitest'
import { feeText } from './fee-text.ts'

const text = (amount: string, asset: string, decimals: number) =>
  feeText({
    preview: {
      title: '',
      chain: '',
      from: '',
      actions: [],
      fee: { asset, amount },
      warnings: [],
      expires_at: null,
    },
    nativeAsset: { symbol: 'ETH', decimals },
  })

test('a fee is shown in whole units to the last digit', () => {
  expect(text('42000000000000', 'ETH', 18)).toBe('0.000042 ETH')
  expect(text('1000000000000000000', 'ETH', 18)).toBe('1 ETH')
  expect(text('1', 'ETH', 18)).toBe('0.000000000000000001 ETH')
  expect(text('7', 'ETH', 0)).toBe('7 ETH')
})

test('a fee in another asset keeps its smallest units', () => {
  expect(text('1500', 'uatom', 18)).toBe('1500 (uatom), smallest units')
})
