import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ShareRefresh, shareRefreshStatement } from './share-refresh-statement.ts'

const share = (fill: number, index: number) => {
  const bytes = new Uint8Array(33).fill(fill)
  bytes[32] = index
  return bytes
}

const refresh: ShareRefresh = {
  walletId: '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4051',
  polynomialVersion: 258,
  newProviderShare: share(0xaa, 2),
  newProviderShareIndex: 2,
  newRecoveryShare: share(0xbb, 3),
  newRecoveryShareIndex: 3,
}

test('the statement is the fixed layout, byte for byte', () => {
  const { length } = shareRefreshStatement(refresh)
  expect(length).toBe(114)
  expect(Buffer.from(shareRefreshStatement(refresh)).toString('hex')).toBe(
    [
      Buffer.from('symbolon/share-refresh/v1\0').toString('hex'),
      '0190a1b2c3d47e5f8a9b0c1d2e3f4051',
      '00000102',
      `02${'aa'.repeat(32)}02`,
      `03${'bb'.repeat(32)}03`,
    ].join(''),
  )
})

test('two different refreshes never have one statement', () => {
  const bytes = fc.uint8Array({ minLength: 33, maxLength: 33 })
  const index = fc.integer({ min: 1, max: 255 })
  const any = fc.record({
    walletId: fc.uuid({ version: 7 }),
    polynomialVersion: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
    newProviderShare: bytes,
    newProviderShareIndex: index,
    newRecoveryShare: bytes,
    newRecoveryShareIndex: index,
  })
  const text = (one: ShareRefresh) => Buffer.from(shareRefreshStatement(one)).toString('hex')
  fc.assert(
    fc.property(
      any,
      any,
      fc.constantFrom(...(Object.keys(refresh) as (keyof ShareRefresh)[])),
      (a, b, key) => {
        const changed = { ...a, [key]: b[key] }
        const isSame = Buffer.from(String(a[key])).equals(Buffer.from(String(b[key])))
        expect(text(a) === text(changed)).toBe(isSame)
      },
    ),
  )
})

test('a value that does not fit its field is refused', () => {
  const wrong: Partial<ShareRefresh>[] = [
    { walletId: refresh.walletId.toUpperCase() },
    { walletId: '' },
    { polynomialVersion: 0 },
    { polynomialVersion: 1.5 },
    { polynomialVersion: 2 ** 31 },
    { newProviderShareIndex: 0 },
    { newRecoveryShareIndex: 256 },
    { newProviderShare: new Uint8Array(32) },
    { newRecoveryShare: new Uint8Array(34) },
  ]
  for (const one of wrong) expect(() => shareRefreshStatement({ ...refresh, ...one })).toThrow(RangeError)
})
