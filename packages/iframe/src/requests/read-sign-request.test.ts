import { SignRequest } from '@symbolon/api'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FrameFailure } from '../frame-failure.ts'
import { readCalls } from './read-calls.ts'
import { readSignRequest } from './read-sign-request.ts'

const typedData = {
  domain: { name: 'Test' },
  types: { EIP712Domain: [{ name: 'name', type: 'string' }], Mail: [{ name: 'text', type: 'string' }] },
  primaryType: 'Mail',
  message: { text: 'hello' },
}
const word = `0x${'ab'.repeat(32)}`
const address = `0x${'cd'.repeat(20)}`
const transaction = {
  to: address,
  value: '0x1',
  data: '0x',
  nonce: '0x0',
  gas_limit: '0x5208',
  max_fee_per_gas: '0x2',
  max_priority_fee_per_gas: '0x1',
  access_list: [{ address, storage_keys: [word] }],
  chain_id: '0x2105',
}
const preview = {
  title: 'Send',
  actions: [{ kind: 'transfer', to: null, amount: '5', args: { anything: [1] } }],
  fee: null,
  warnings: ['careful'],
}
const seeds: Record<string, unknown>[] = [
  { type: 'message', message: 'hello', chain: 'base', curve: 'secp256k1', preview, dry_run: true },
  { type: 'message', message: '0xab', encoding: 'hex', smart_account: true },
  { type: 'message', message: 'aGk=', encoding: 'base64', scheme: 'raw', application_domain: word },
  { type: 'message', message: '', nonce: 'n', recipient: 'r', callback_url: 'https://a.test' },
  { type: 'message', message: 'x', application_domain: '11111111111111111111111111111111' },
  { type: 'typed_data', typed_data: typedData, chain: 'base', smart_account: false },
  { type: 'transaction', chain: 'base', transaction },
  { type: 'transaction', chain: 'base', transaction: { nonce: '0x1', gas_limit: '0x1', gas_price: '0x1' } },
  { type: 'transaction', chain: 'tron', transaction: '0a02' },
  { type: 'transaction', chain: 'cosmoshub', transaction: 'AAAA', sign_mode: 'amino_json' },
  { type: 'hash', hash: word, chain: 'base' },
  { type: 'user_operation', user_op_hash: word },
  { type: 'authorization', chain: 'base', contract: address, nonce: '0x0' },
]

const oddities = [
  null,
  '',
  'x',
  '0x',
  '0x0',
  '0x00',
  '0X01',
  0,
  -1,
  1.5,
  true,
  [],
  {},
  'A'.repeat(65),
  'AAA',
  'AB==',
  '0a0',
  'a'.repeat(257),
  word.toUpperCase(),
  'ed25519',
  'utf8',
  'raw',
  { kind: 'x' },
]

/** Every place of a value, as the path to it. */
function places(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, inner]) => places(inner, [...path, key]))]
}

function changed(
  value: unknown,
  [key, ...rest]: string[],
  change: 'delete' | 'add' | { to: unknown },
): unknown {
  if (key === undefined)
    return change === 'add' && typeof value === 'object' && value !== null ? { ...value, extra: 1 } : value
  const copy: Record<string, unknown> = Array.isArray(value)
    ? (value.slice() as unknown as Record<string, unknown>)
    : { ...(value as object) }
  if (rest.length > 0 || change === 'add') copy[key] = changed(copy[key], rest, change)
  else if (change === 'delete') delete copy[key]
  else copy[key] = change.to
  return copy
}

function taken(value: unknown): unknown {
  try {
    return readSignRequest(value)
  } catch (error) {
    if (error instanceof FrameFailure && error.code === 'invalid_request') return undefined
    throw error
  }
}

describe('a sign request', () => {
  test.each(seeds)('of each form is taken as it is: $type', (seed) => {
    expect(readSignRequest(seed)).toEqual(seed)
    expect(SignRequest.parse(seed)).toEqual(seed)
  })

  test('is taken exactly when the API takes it, and means the same', () => {
    let taking = 0
    let refusing = 0
    fc.assert(
      fc.property(
        fc.constantFrom(...seeds),
        fc.nat(),
        fc.constantFrom(...oddities),
        fc.nat(3),
        (seed, at, odd, how) => {
          const all = places(seed)
          const path = all[at % all.length] ?? []
          const change = how === 0 ? 'delete' : how === 1 ? 'add' : { to: odd }
          const value: unknown = JSON.parse(JSON.stringify(changed(seed, path, change)) ?? 'null')
          const theirs = SignRequest.safeParse(value)
          const ours = taken(value)
          if (theirs.success) {
            taking++
            expect(ours).toEqual(theirs.data)
          } else {
            refusing++
            expect(ours).toBeUndefined()
          }
        },
      ),
      { numRuns: 2_000, seed: 11 },
    )
    expect(Math.min(taking, refusing)).toBeGreaterThan(100)
  })

  test('of any other value is refused', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => taken(value) === undefined || typeof value === 'object'))
    for (const value of [undefined, null, [], 'message', Object.create(seeds[0] ?? {})])
      expect(taken(value)).toBeUndefined()
  })
})

describe('the calls of an operation', () => {
  test('are taken with the defaults of the API', () => {
    expect(
      readCalls([
        { to: address.toUpperCase().replace('0X', '0x') },
        { to: address, data: '0xAB', value: '7' },
      ]),
    ).toEqual([
      { to: address, data: '0x', value: 0n },
      { to: address, data: '0xab', value: 7n },
    ])
  })

  test.each([
    ['none', []],
    ['too many', Array.from({ length: 65 }, () => ({ to: address }))],
    ['no list', { to: address }],
    ['a field too many', [{ to: address, gas: '0x1' }]],
    ['a short address', [{ to: '0x12' }]],
    ['a value above 256 bits', [{ to: address, value: (2n ** 256n).toString() }]],
    ['a value that is not text', [{ to: address, value: 1 }]],
    ['odd data', [{ to: address, data: '0xabc' }]],
    ['a null', [null]],
  ])('%s is refused', (_name, calls) => {
    expect(() => readCalls(calls)).toThrow(FrameFailure)
  })
})
