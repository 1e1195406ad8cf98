import { beforeEach, expect, test } from 'vitest'
import { type AgreedCalls, agreedCalls } from './agreed-calls.ts'

const to = `0x${'ab'.repeat(20)}` as const
const calls = [
  { to, data: '0x01', value: 5n },
  { to, data: '0x', value: 0n },
] as const
const first = { nonce: '0x0', gas_limit: '0xa', max_fee_per_gas: '0xa', to, data: '0x01', value: '0x5' }
const second = {
  nonce: '0x1',
  gas_limit: '0xa',
  max_fee_per_gas: '0x1',
  to: to.toUpperCase().replace('X', 'x'),
}

let nowMs = 0
let agreed: AgreedCalls
let batch: string
beforeEach(() => {
  nowMs = 0
  let filler = 0
  agreed = agreedCalls(
    (length) => new Uint8Array(length).fill(++filler),
    () => nowMs,
  )
  batch = agreed.keep({ chain: 'ethereum', calls, maxFee: 110n })
})
const take = (transaction: object | string, chain = 'ethereum', name = batch) =>
  agreed.take(name, { type: 'transaction', chain, transaction: transaction as typeof first })

test('each call of a list is taken once, in order', () => {
  expect(take(first)).toBe(true)
  expect(take(second)).toBe(true)
  expect(() => take(second)).toThrow(expect.objectContaining({ code: 'preview_mismatch' }))
})

test.each([
  ['another amount', { ...first, value: '0x6' }],
  ['no amount', { ...first, value: undefined }],
  ['other data', { ...first, data: '0x0101' }],
  ['another receiver', { ...first, to: `0x${'ac'.repeat(20)}` }],
  ['a deployment', { ...first, to: undefined }],
  ['the second call first', second],
])('%s is refused, and the list is over', (_, transaction) => {
  expect(() => take(transaction)).toThrow(expect.objectContaining({ code: 'preview_mismatch' }))
  expect(() => take(first)).toThrow(expect.objectContaining({ code: 'preview_mismatch' }))
})

test('a call that could take effect without the one before it is refused, and the list is over', () => {
  const refused = expect.objectContaining({ code: 'preview_mismatch' })
  for (const nonce of ['0x1', '0x0']) {
    const list = agreed.keep({ chain: 'ethereum', calls, maxFee: 110n })
    expect(take({ ...first, nonce: '0x1' }, 'ethereum', list)).toBe(true)
    expect(() => take({ ...second, nonce }, 'ethereum', list)).toThrow(refused)
    expect(() => take({ ...second, nonce: '0x2' }, 'ethereum', list)).toThrow(refused)
  }
  const costly = agreed.keep({ chain: 'ethereum', calls, maxFee: 1n })
  expect(take({ ...first, nonce: '0x1' }, 'ethereum', costly)).toBe(false)
  expect(() => take({ ...second, nonce: '0x1' }, 'ethereum', costly)).toThrow(refused)
})

test('another chain, an unknown list, an old one and one of another login are refused', () => {
  const refused = expect.objectContaining({ code: 'preview_mismatch' })
  expect(() => take(first, 'base')).toThrow(refused)
  expect(() => take(first, 'ethereum', '00'.repeat(16))).toThrow(refused)
  const old = agreed.keep({ chain: 'ethereum', calls, maxFee: 110n })
  nowMs = 30 * 60_000
  expect(() => take(first, 'ethereum', old)).toThrow(refused)
  const ended = agreed.keep({ chain: 'ethereum', calls, maxFee: 110n })
  agreed.end()
  expect(() => take(first, 'ethereum', ended)).toThrow(refused)
})

test('a fee above what is left of all fees is asked about again, whichever field names its price', () => {
  expect(take(first)).toBe(true)
  expect(take({ ...second, max_fee_per_gas: '0x2' })).toBe(false)
  const legacy = agreed.keep({ chain: 'ethereum', calls, maxFee: 99n })
  expect(take({ ...first, max_fee_per_gas: undefined, gas_price: '0xa' }, 'ethereum', legacy)).toBe(false)
})

test('a page has at most sixteen lists open; the oldest go first', () => {
  const names = Array.from({ length: 16 }, () => agreed.keep({ chain: 'ethereum', calls, maxFee: 110n }))
  expect(() => take(first)).toThrow()
  expect(take(first, 'ethereum', names[1])).toBe(true)
})

test('serialized transactions are taken byte for byte, and neither stands for a call nor a call for one', () => {
  const list = { chain: 'solana', calls: ['AAAA', 'BBBB'], maxFee: 0n }
  const refused = expect.objectContaining({ code: 'preview_mismatch' })
  const exact = agreed.keep(list)
  expect([take('AAAA', 'solana', exact), take('BBBB', 'solana', exact)]).toEqual([true, true])
  const other = agreed.keep(list)
  expect(() => take('BBBB', 'solana', other)).toThrow(refused)
  expect(() => take('BBBB', 'solana', other)).toThrow(refused)
  expect(() => take(first, 'solana', agreed.keep(list))).toThrow(refused)
  expect(() => take('AAAA', 'ethereum', batch)).toThrow(refused)
})

const listed = { type: 'transaction', chain: 'cosmoshub', transaction: 'AAAA' } as const

test.each([
  ['the same text as an amino document', { ...listed, sign_mode: 'amino_json' }],
  [
    'the same text as a message',
    { type: 'message', chain: 'cosmoshub', message: 'AAAA', encoding: 'base64' },
  ],
  ['the same text as a hash', { type: 'hash', chain: 'cosmoshub', hash: 'AAAA' }],
] as const)(
  '%s never stands for a transaction of a list, which was read in its network’s own form',
  (_, request) => {
    const list = { chain: 'cosmoshub', calls: ['AAAA'], maxFee: 0n }
    const name = agreed.keep(list)
    expect(() => agreed.take(name, request)).toThrow(expect.objectContaining({ code: 'preview_mismatch' }))
    expect(agreed.take(name, listed)).toBe(true)
    expect(agreed.take(agreed.keep(list), { ...listed, sign_mode: 'direct' })).toBe(true)
  },
)

test('an amino document never stands for a call of a list either', () => {
  const request = {
    type: 'transaction',
    chain: 'ethereum',
    transaction: first,
    sign_mode: 'amino_json',
  } as const
  expect(() => agreed.take(batch, request)).toThrow(expect.objectContaining({ code: 'preview_mismatch' }))
})
