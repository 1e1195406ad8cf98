import {
  encodeSecp256k1Pubkey,
  makeSignDoc,
  Secp256k1Wallet,
  type StdSignDoc,
  serializeSignDoc,
} from '@cosmjs/amino'
import { encodePubkey, makeAuthInfoBytes } from '@cosmjs/proto-signing'
import { sha256 } from '@noble/hashes/sha2.js'
import { base64 } from '@scure/base'
import { propertyRuns } from '@symbolon/testing/properties'
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toHex, toHex0x } from '../codec/hex.ts'
import { preview, signingDigest } from '../testing/by-intent.ts'
import { signIntent, testKey } from '../testing/oracle-signer.ts'
import { randomAmino } from '../testing/random-amino.fuzz.ts'
import { accountAddress } from './address.ts'
import { aminoRounds } from './cosmos-rounds.fuzz.ts'

const key = testKey('secp256k1', 1)
const own = accountAddress('cosmos', key.publicKey)
const friend = accountAddress('cosmos', testKey('secp256k1', 2).publicKey)
const intentOf = (bytes: Uint8Array, chain = 'cosmoshub') =>
  ({ kind: 'transaction', network: 'cosmos', chain, bytes, signMode: 'amino_json' }) as const
const shown = (bytes: Uint8Array, chain?: string) =>
  preview(intentOf(bytes, chain), 'secp256k1', key.publicKey)
const utf8 = (text: string) => new TextEncoder().encode(text)

const coins = [{ denom: 'uatom', amount: '1500000' }]
const send = (from_address = own) => ({
  type: 'cosmos-sdk/MsgSend',
  value: { from_address, to_address: friend, amount: coins },
})
const fee = { amount: [{ denom: 'uatom', amount: '5000' }], gas: '200000' }
const documentOf = (...msgs: { type: string; value: object }[]): StdSignDoc =>
  makeSignDoc(msgs, fee, 'cosmoshub-4', 'memo', 1, 2)
const bytesOf = (...msgs: { type: string; value: object }[]) => serializeSignDoc(documentOf(...msgs))
const plain = new TextDecoder().decode(bytesOf(send()))

describe('amino documents beside cosmjs', () => {
  const samples = fc.sample(randomAmino(own, 'cosmos', 'cosmoshub-4'), {
    numRuns: propertyRuns(250),
    seed: 4,
  })

  test('those have its signature, and the TxRaw and hash of the same transaction in protobuf', async () => {
    const wallet = await Secp256k1Wallet.fromKey(key.privateKey, 'cosmos')
    const pubkey = encodePubkey(encodeSecp256k1Pubkey(key.publicKey))
    for (const { bytes, body, fee, sequence } of samples) {
      const answer = signIntent(intentOf(bytes), key)
      const document = JSON.parse(new TextDecoder().decode(bytes)) as StdSignDoc
      const { signature } = await wallet.signAmino(own, document)
      const expected = base64.decode(signature.signature)
      expect(answer.signature).toBe(toHex0x(expected))
      const mode = SignMode.SIGN_MODE_LEGACY_AMINO_JSON
      const authInfoBytes = makeAuthInfoBytes(
        [{ pubkey, sequence }],
        fee.amount,
        Number(fee.gas),
        fee.granter,
        undefined,
        mode,
      )
      const raw = TxRaw.encode({ bodyBytes: body, authInfoBytes, signatures: [expected] }).finish()
      expect(answer.signed_transaction).toBe(base64.encode(raw))
      expect(answer.transaction_hash).toBe(toHex(sha256(raw)).toUpperCase())
      expect(shown(bytes).actions.every(({ kind, method }) => kind !== 'unknown' || method === 'memo')).toBe(
        true,
      )
    }
  })

  test('on Osmosis name its accounts and its coin', () => {
    const osmo = accountAddress('osmo', key.publicKey)
    for (const { bytes } of fc.sample(randomAmino(osmo, 'osmo', 'osmosis-1'), { numRuns: 30, seed: 5 })) {
      expect(shown(bytes, 'osmosis').from).toBe(osmo)
      expect(() => shown(bytes)).toThrow(expect.objectContaining({ code: 'invalid_payload' }))
    }
  })
})

test('mutated documents are refused with NetworkError or have a preview', () => {
  aminoRounds(propertyRuns(4000))
})

describe('an amino document without a TxRaw', () => {
  const signed = (bytes: Uint8Array) => {
    const answer = signIntent(intentOf(bytes), key)
    expect(answer.signature).toMatch(/^0x[0-9a-f]{128}$/)
    expect(answer).not.toHaveProperty('signed_transaction')
    expect(answer).not.toHaveProperty('transaction_hash')
    return shown(bytes)
  }

  test('is one with a message that is not known, and unknown', () => {
    const decoded = signed(bytesOf({ type: 'other/MsgOther', value: { account: own } }))
    expect(decoded.actions).toMatchObject([{ kind: 'unknown', method: 'other/MsgOther', to: null }])
    expect(decoded.warnings).toContain('The effects of this message are unknown.')
  })

  test('is one with a field that is not known', () => {
    const { type, value } = send()
    expect(signed(bytesOf({ type, value: { ...value, extra: '1' } })).actions).toMatchObject([
      { kind: 'unknown' },
    ])
  })

  test('is one that the chain would write otherwise, but is read all the same', () => {
    const value = { from_address: own, to_address: friend, amount: coins, end_time: '5', delayed: false }
    const decoded = signed(bytesOf({ type: 'cosmos-sdk/MsgCreateVestingAccount', value }))
    expect(decoded.actions).toMatchObject([
      { kind: 'transfer', asset: 'ATOM', amount: '1500000', to: friend },
    ])
  })

  test('is one that leaves out coins, which the chain always writes', () => {
    const value = { from_address: own, to_address: friend }
    expect(signed(bytesOf({ type: 'cosmos-sdk/MsgSend', value })).title).toBe('Send nothing')
  })

  test('is one that another account signs too', () => {
    expect(signed(bytesOf(send(), send(friend))).warnings).toContain(
      'Other accounts must sign this transaction too.',
    )
  })
})

describe('an amino document is refused', () => {
  const refuse = (text: string, chain?: string) => {
    for (const run of [
      () => shown(utf8(text), chain),
      () => signingDigest(intentOf(utf8(text), chain), 'secp256k1', key.publicKey),
    ])
      expect(run).toThrow(expect.objectContaining({ code: 'invalid_payload' }))
  }

  test('that is canonical, in no case', () => {
    expect(shown(utf8(plain))).toMatchObject({
      title: 'Send 1.5 ATOM',
      fee: { asset: 'ATOM', amount: '5000' },
    })
    expect(shown(utf8(plain)).actions).toMatchObject([{ args: { memo: 'memo' } }])
  })

  test.each([
    ['white space', plain.replace(',', ', ')],
    ['keys out of order', JSON.stringify(documentOf(send()))],
    ['a key that stands twice', plain.replace('"memo":"memo"', '"memo":"other","memo":"memo"')],
    ['an escape that is not needed', plain.replace('"memo":"memo"', '"memo":"m\\u0065mo"')],
    ['a character that Go escapes', plain.replace('"memo":"memo"', '"memo":"a<b"')],
    ['an escape in capitals', plain.replace('"memo":"memo"', '"memo":"a\\u003Cb"')],
    ['a character that is written in two ways', plain.replace('"memo":"memo"', '"memo":"a\u2028b"')],
    ['a number of another spelling', plain.replace('"sequence":"2"', '"sequence":"02"')],
    ['a number for a text', plain.replace('"sequence":"2"', '"sequence":2')],
    ['a number above 64 bits', plain.replace('"sequence":"2"', '"sequence":"18446744073709551616"')],
    ['a key of its own', plain.replace('"sequence":"2"', '"sequence":"2","tip":{}')],
    ['a timeout of 0', plain.replace('"sequence":"2"', '"sequence":"2","timeout_height":"0"')],
    ['an empty payer', plain.replace('"gas":"200000"', '"gas":"200000","payer":""')],
    ['no gas', plain.replace(',"gas":"200000"', '')],
    ['another chain', plain.replace('cosmoshub-4', 'osmosis-1')],
    ['no messages', plain.replace(/"msgs":\[.*\]/, '"msgs":[]')],
    ['messages that are none', plain.replace(/"msgs":\[.*\]/, '"msgs":[1]')],
    ['trailing bytes', `${plain} `],
    ['a cut', plain.slice(0, -1)],
    ['nothing in it', ''],
    ['a list around it', `[${plain}]`],
    ['nothing but null', 'null'],
    ['a nest without end', '['.repeat(50_000)],
    ['a deep nest', `${'['.repeat(5000)}${']'.repeat(5000)}`],
  ])('that has %s', (_, text) => refuse(text))

  test('whose messages are of others', () => {
    refuse(new TextDecoder().decode(bytesOf(send(friend))))
    refuse(new TextDecoder().decode(bytesOf({ type: 'other/MsgOther', value: { account: friend } })))
  })

  test('as a SignDoc, and a SignDoc as an amino document', () => {
    const direct = { kind: 'transaction', network: 'cosmos', chain: 'cosmoshub', bytes: utf8(plain) } as const
    expect(() => preview(direct, 'secp256k1', key.publicKey)).toThrow(
      expect.objectContaining({ code: 'invalid_payload' }),
    )
    refuse('\n\u0002hi')
  })

  test('on a network without sign modes, as a request that cannot be', () => {
    const intent = { ...intentOf(utf8(plain), 'tron'), network: 'tron' } as const
    expect(() => preview(intent, 'secp256k1', key.publicKey)).toThrow(
      expect.objectContaining({ code: 'invalid_request' }),
    )
  })
})
