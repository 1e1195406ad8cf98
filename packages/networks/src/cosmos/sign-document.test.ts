import { makeSignDoc, serializeSignDoc } from '@cosmjs/amino'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { describe, expect, test } from 'vitest'
import { decodeForAgent, preview } from '../testing/by-intent.ts'
import { testKey } from '../testing/oracle-signer.ts'
import { cosmosAny, cosmosSignDoc } from '../testing/random-cosmos.fuzz.ts'
import { accountAddress } from './address.ts'

const key = testKey('secp256k1', 1)
const own = accountAddress('osmo', key.publicKey)
const amount = [{ denom: 'inj', amount: '1000000' }]
const sent = { type: 'cosmos-sdk/MsgSend', value: { from_address: own, to_address: own, amount } }
const document = serializeSignDoc(makeSignDoc([sent], { amount, gas: '200000' }, 'injective-1', '', 7, 3))
const text = new TextDecoder().decode(document)
const { bytes: direct } = cosmosSignDoc(
  [cosmosAny(MsgSend, { fromAddress: own, toAddress: own, amount })],
  key.publicKey,
)

const message = (bytes: string | Uint8Array, chain = 'base') =>
  ({
    kind: 'message',
    network: chain === 'base' ? 'evm' : chain,
    chain,
    message: typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes,
  }) as const
const trapOf = (bytes: string | Uint8Array, chain?: string) =>
  decodeForAgent(message(bytes, chain) as Parameters<typeof decodeForAgent>[0], 'secp256k1', key.publicKey)
    .trap
const warningsOf = (bytes: string | Uint8Array) =>
  preview(message(bytes), 'secp256k1', key.publicKey).warnings

describe('a sign document of Cosmos as a message', () => {
  test.each([
    ['as cosmjs writes it', text],
    ['with spaces', JSON.stringify(JSON.parse(text), null, 2)],
    [
      'in another order, with more members',
      JSON.stringify({ tip: null, sequence: '3', ...JSON.parse(text) }),
    ],
  ])('%s is a transaction to agents, and a person is warned', (_, written) => {
    for (const chain of ['base', 'tron', 'bitcoin'])
      expect(trapOf(written, chain)).toBe('message_is_transaction')
    expect(warningsOf(written)).toEqual([
      'This message is a transaction of Cosmos, which some chains carry out.',
    ])
  })

  test('the bytes of a SignDoc are a transaction to agents', () => {
    expect(trapOf(direct)).toBe('message_is_transaction')
  })

  test.each(['chain_id', 'fee', 'msgs', 'sequence'])('JSON without %s is a message', (member) => {
    const { [member]: _, ...rest } = JSON.parse(text)
    expect(trapOf(JSON.stringify(rest))).toBeNull()
    expect(warningsOf(JSON.stringify(rest))).toEqual([])
  })

  test.each(['chain_id, fee, msgs, sequence', `[${text}]`, 'null', '7', '', '\n\u0003abc'])(
    'the text “%s” is a message',
    (words) => {
      expect(trapOf(words)).toBeNull()
      expect(warningsOf(words)).toEqual([])
    },
  )
})
