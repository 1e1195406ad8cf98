import { describe, expect, test } from 'vitest'
import { preview, walletAddresses } from '../testing/by-intent.ts'
import { testKey } from '../testing/oracle-signer.ts'
import { plainNote } from './typed-data-effects.ts'

const { publicKey } = testKey('secp256k1', 0)
const own = walletAddresses('secp256k1', publicKey)['evm'] ?? ''
const other = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const usdc = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const all = (2n ** 256n - 1n).toString()

type Types = Readonly<Record<string, string>>

/** Types are "type name,type name"; the first one is the primary type. */
function previewOf(types: Types, message: object, domain: object = { name: 'App', chainId: 8453 }) {
  const fields = (text: string) =>
    text === '' ? [] : text.split(',').map((one) => ({ type: one.split(' ')[0], name: one.split(' ')[1] }))
  return preview(
    {
      kind: 'typed_data',
      chain: 'base',
      typedData: JSON.stringify({
        domain,
        types: Object.fromEntries(Object.entries(types).map(([name, text]) => [name, fields(text)])),
        primaryType: Object.keys(types)[0],
        message,
      }),
    },
    'secp256k1',
    publicKey,
  )
}

describe('typed data that no decoder knows', () => {
  const calm: [what: string, types: Types, message: object][] = [
    [
      'a vote',
      {
        Vote: 'address from,string space,uint64 timestamp,bytes32 proposal,uint32 choice,string reason,string app,string metadata',
      },
      {
        from: own,
        space: 'shop.eth',
        timestamp: 1,
        proposal: `0x${'ab'.repeat(32)}`,
        choice: 1,
        reason: '',
        app: 'snapshot',
        metadata: '{}',
      },
    ],
    [
      'a login',
      { SignIn: 'address account,string nonce,string token' },
      { account: own, nonce: '7', token: 'x' },
    ],
    [
      'a mail',
      { Mail: 'Person from,Person[] to,string contents', Person: 'string name,address wallet' },
      { from: { name: 'Cow', wallet: own }, to: [{ name: 'Bob', wallet: other }], contents: 'Hello' },
    ],
    ['a setting of Hyperliquid', { 'HyperliquidTransaction:SetName': 'string name' }, { name: 'cow' }],
    ['a number of nobody', { Score: 'uint256 value' }, { value: '5' }],
  ]
  test.each(calm)('%s has a note and no alarm', (_, types, message) => {
    expect(previewOf(types, message)).toMatchObject({ actions: [{ kind: 'unknown' }], warnings: [plainNote] })
  })

  const alarming: [what: string, types: Types, message: object, domain?: object][] = [
    ['an order', { Order: 'string id' }, { id: '1' }],
    ['a permit of another shape', { Permit: 'string id' }, { id: '1' }],
    ['an approval of an agent', { 'HyperliquidTransaction:ApproveAgent': 'string name' }, { name: 'x' }],
    ['a list of orders within', { Signed: 'SwapOrder[] entries', SwapOrder: 'string id' }, { entries: [] }],
    ['a spender', { Message: 'address spender' }, { spender: other }],
    ['a power that is named in an empty list', { Message: 'address[] operators' }, { operators: [] }],
    ['a token by its type', { Message: 'address sellToken' }, { sellToken: other }],
    ['a token of the platform', { Message: 'address thing' }, { thing: usdc }],
    ['a token of the platform in a text', { Message: 'string thing' }, { thing: `eip155:8453/${usdc}` }],
    [
      'a contract that is a token of the platform',
      { Message: 'string id' },
      { id: '1' },
      { verifyingContract: usdc },
    ],
    [
      'a verifying contract that is the wallet itself',
      { Message: 'string id' },
      { id: '1' },
      { verifyingContract: own },
    ],
    [
      'an amount for somebody',
      { Message: 'address recipient,uint256 amount' },
      { recipient: other, amount: '1' },
    ],
    [
      'an amount beside the wallet’s own address',
      { Message: 'address account,uint256 value' },
      { account: own, value: '1' },
    ],
    [
      'an amount as text',
      { Message: 'string destination,string amount' },
      { destination: other, amount: '1.5' },
    ],
    [
      'an amount within a struct',
      { Message: 'Price price,address to', Price: 'uint256 x' },
      { price: { x: 1 }, to: other },
    ],
    ['bytes that nobody reads', { Message: 'bytes data' }, { data: '0x01' }],
    ['the root of a tree', { Message: 'bytes32 root' }, { root: `0x${'ab'.repeat(32)}` }],
    ['all there is', { Message: 'uint256 x' }, { x: all }],
    ['more than a person reads', { Message: 'uint8[] x' }, { x: Array(257).fill(1) }],
  ]
  test.each(alarming)('%s is an alarm', (_, types, message, domain) => {
    expect(previewOf(types, message, domain).warnings).toEqual([
      'The effects of this typed data are unknown.',
    ])
  })

  test('is shown with every field by its path, a large one by its members', () => {
    const types = { Mail: 'Person from,Person[] to,string[] tags', Person: 'string name' }
    const message = { from: { name: 'Cow' }, to: [{ name: 'Bob' }, { name: 'Eve' }], tags: [] }
    expect(previewOf(types, message).actions[0]?.args).toEqual({
      'from.name': 'Cow',
      'to[0].name': 'Bob',
      'to[1].name': 'Eve',
      tags: '[]',
    })
    const many = { x: Array(300).fill(1) }
    expect(previewOf({ Mail: 'uint8[] x' }, many).actions[0]?.args).toEqual({ x: JSON.stringify(many.x) })
  })
})
