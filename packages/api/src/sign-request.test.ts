import { expect, test } from 'vitest'
import { SignRequest, SignRequestFor } from './sign-request.ts'

const hash = `0x${'ab'.repeat(32)}`
const address = `0x${'cd'.repeat(20)}`
const walletId = '0192f0c1-0000-7000-8000-0123456789ab'
const surrogate = String.fromCharCode(0xd800)
const transaction = { to: address, value: '0x1', data: '0x', nonce: '0x0', gas_limit: '0x5208' }
const fees = { max_fee_per_gas: '0x1', max_priority_fee_per_gas: '0x1' }
const typedData = {
  domain: { name: 'x', chainId: 1 },
  types: { EIP712Domain: [{ name: 'name', type: 'string' }], Mail: [{ name: 'body', type: 'string' }] },
  primaryType: 'Mail',
  message: { body: `the decoder evaluates ${surrogate}` },
}

const accepted: [why: string, request: object][] = [
  ['a message without encoding', { type: 'message', message: 'hello' }],
  ['a message in utf8', { type: 'message', message: 'hello', encoding: 'utf8', chain: 'base' }],
  ['an empty message', { type: 'message', message: '' }],
  ['a lone surrogate: the decoder refuses it', { type: 'message', message: surrogate }],
  ['a message of 200 KB', { type: 'message', message: 'x'.repeat(200_000) }],
  ['a message in hex, lower case', { type: 'message', message: '0xabcd', encoding: 'hex' }],
  ['a message in hex, upper case', { type: 'message', message: '0xABCD', encoding: 'hex' }],
  ['a message in base64', { type: 'message', message: 'AAE=', encoding: 'base64' }],
  ['bare bytes for Solana', { type: 'message', message: 'x', chain: 'solana', scheme: 'raw' }],
  ['a Solana application domain', { type: 'message', message: 'x', application_domain: '1'.repeat(32) }],
  [
    'the Near fields',
    {
      type: 'message',
      message: 'x',
      chain: 'near',
      nonce: 'AA==',
      recipient: 'a.near',
      callback_url: 'https://a',
    },
  ],
  ['typed data', { type: 'typed_data', typed_data: typedData }],
  ['a message for the smart account', { type: 'message', message: 'x', chain: 'base', smart_account: true }],
  ['typed data for it', { type: 'typed_data', typed_data: typedData, smart_account: true }],
  ['a message that is not for it', { type: 'message', message: '0x', encoding: 'hex', smart_account: false }],
  [
    'an EIP-1559 transaction',
    { type: 'transaction', chain: 'base', transaction: { ...transaction, ...fees } },
  ],
  [
    'a legacy transaction',
    { type: 'transaction', chain: 'base', transaction: { ...transaction, gas_price: '0x1' } },
  ],
  [
    'an EIP-2930 transaction',
    {
      type: 'transaction',
      chain: 'base',
      transaction: { ...transaction, gas_price: '0x1', access_list: [{ address, storage_keys: [hash] }] },
    },
  ],
  ['a serialized transaction in hex', { type: 'transaction', chain: 'base', transaction: '0x02c0' }],
  ['a serialized transaction in base64', { type: 'transaction', chain: 'solana', transaction: 'AAE=' }],
  ['a bare hex transaction', { type: 'transaction', chain: 'tron', transaction: '0a02' }],
  [
    'an amino document',
    { type: 'transaction', chain: 'osmosis', transaction: 'AAE=', sign_mode: 'amino_json' },
  ],
  ['a hash', { type: 'hash', hash }],
  ['a user operation', { type: 'user_operation', user_op_hash: hash, chain: 'base' }],
  ['an authorization', { type: 'authorization', chain: 'base', contract: address, nonce: '0x0' }],
  [
    'curve, preview and dry run',
    { type: 'hash', hash, curve: 'secp256k1', preview: { title: 'T' }, dry_run: true },
  ],
]

const refused: [why: string, request: unknown][] = [
  ['null', null],
  ['a list', []],
  ['a string', 'message'],
  ['no type', { message: 'x' }],
  ['an unknown type', { type: 'sign', message: 'x' }],
  ['a type of another prototype', { type: ['message'], message: 'x' }],
  ['no message', { type: 'message' }],
  ['a message that is not text', { type: 'message', message: 1 }],
  ['an unknown encoding', { type: 'message', message: 'x', encoding: 'latin1' }],
  ['a null encoding', { type: 'message', message: 'x', encoding: null }],
  ['hex without 0x', { type: 'message', message: 'abcd', encoding: 'hex' }],
  ['odd hex', { type: 'message', message: '0xabc', encoding: 'hex' }],
  ['unpadded base64', { type: 'message', message: 'AAE', encoding: 'base64' }],
  ['base64 with loose bits', { type: 'message', message: 'AAF=', encoding: 'base64' }],
  ['base64url', { type: 'message', message: '-_-_', encoding: 'base64' }],
  ['an unknown field', { type: 'message', message: 'x', extra: 1 }],
  ['a field of another type', { type: 'message', message: 'x', hash }],
  ['__proto__', JSON.parse('{"type":"message","message":"x","__proto__":{"a":1}}')],
  ['constructor', JSON.parse('{"type":"message","message":"x","constructor":{"a":1}}')],
  [
    '__proto__ in typed data',
    { type: 'typed_data', typed_data: { ...typedData, message: JSON.parse('{"__proto__":1}') } },
  ],
  ['typed data with a list as message', { type: 'typed_data', typed_data: { ...typedData, message: [] } }],
  ['typed data with more keys', { type: 'typed_data', typed_data: { ...typedData, extra: 1 } }],
  ['typed data as text', { type: 'typed_data', typed_data: JSON.stringify(typedData) }],
  ['a transaction without chain', { type: 'transaction', transaction: { ...transaction, ...fees } }],
  [
    'a transaction with decimal numbers',
    { type: 'transaction', chain: 'base', transaction: { ...transaction, value: '1' } },
  ],
  [
    'a transaction with JSON numbers',
    { type: 'transaction', chain: 'base', transaction: { ...transaction, nonce: 0 } },
  ],
  [
    'a transaction with a short recipient',
    { type: 'transaction', chain: 'base', transaction: { ...transaction, to: '0x00' } },
  ],
  [
    'a transaction with unknown fields',
    { type: 'transaction', chain: 'base', transaction: { ...transaction, from: address } },
  ],
  ['an empty transaction', { type: 'transaction', chain: 'base', transaction: '' }],
  [
    'an unknown sign mode',
    { type: 'transaction', chain: 'osmosis', transaction: 'AAE=', sign_mode: 'textual' },
  ],
  ['a hash of 31 bytes', { type: 'hash', hash: `0x${'ab'.repeat(31)}` }],
  ['an authorization without chain', { type: 'authorization', contract: address, nonce: '0x0' }],
  ['a hash for the smart account', { type: 'hash', hash, smart_account: true }],
  ['an operation for it', { type: 'user_operation', user_op_hash: hash, smart_account: true }],
  [
    'an authorization for it',
    { type: 'authorization', chain: 'base', contract: address, nonce: '0x0', smart_account: true },
  ],
  [
    'a transaction for it',
    { type: 'transaction', chain: 'base', transaction: '0x02c0', smart_account: true },
  ],
  ['a smart account that is not a boolean', { type: 'message', message: 'x', smart_account: 'true' }],
  ['an unknown curve', { type: 'hash', hash, curve: 'p256' }],
  ['a preview with unknown fields', { type: 'hash', hash, preview: { html: '<b>' } }],
  ['a dry run that is not a boolean', { type: 'hash', hash, dry_run: 'true' }],
]

test.each(accepted)('accepts %s and hands it on unchanged', (_, request) => {
  expect(SignRequest.parse(request)).toEqual(request)
  const named = { ...request, wallet_id: walletId }
  expect(SignRequestFor.parse(named)).toEqual(named)
})

test.each(refused)('refuses a request with %s', (_, request) => {
  expect(SignRequest.safeParse(request).success).toBe(false)
  const named =
    typeof request === 'object' && request !== null
      ? Object.assign(request, { wallet_id: walletId })
      : request
  expect(SignRequestFor.safeParse(named).success).toBe(false)
})

test('the wallet is named by the backend, and never by the user', () => {
  const request = { type: 'hash', hash }
  expect(SignRequestFor.safeParse(request).success).toBe(false)
  expect(SignRequestFor.safeParse({ ...request, wallet_id: walletId.toUpperCase() }).success).toBe(false)
  expect(SignRequest.safeParse({ ...request, wallet_id: walletId }).success).toBe(false)
})

test('typed data is handed on as the very object that came', () => {
  const request = { type: 'typed_data', typed_data: typedData }
  const parsed = SignRequest.parse(request)
  expect(parsed.type === 'typed_data' && parsed.typed_data.message).toBe(typedData.message)
})

test('parsing a message request costs well under 50 µs, so that signing is not about parsing', () => {
  const request = { wallet_id: walletId, type: 'message', message: 'hello', encoding: 'utf8' }
  const rounds = 20_000
  const parseAll = () => {
    const startedAt = performance.now()
    for (let i = 0; i < rounds; i++) SignRequestFor.parse(request)
    return ((performance.now() - startedAt) * 1000) / rounds
  }
  expect(Math.min(parseAll(), parseAll(), parseAll())).toBeLessThan(50)
})
