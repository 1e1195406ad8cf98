import { encodeSecp256k1Pubkey } from '@cosmjs/amino'
import { Secp256k1, Secp256k1Signature, sha256 } from '@cosmjs/crypto'
import {
  DirectSecp256k1Wallet,
  encodePubkey,
  makeAuthInfoBytes,
  makeSignBytes,
  makeSignDoc,
} from '@cosmjs/proto-signing'
import { base64 } from '@scure/base'
import { propertyRuns } from '@symbolon/testing/properties'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { AuthInfo, SignDoc, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromHex, toHex, toHex0x } from '../codec/hex.ts'
import { messageBytes } from '../intent/message-bytes.ts'
import { byBytes, chainByHandle, decodeIntentEffects, preview, signingDigest } from '../testing/by-intent.ts'
import { signIntent, testKey } from '../testing/oracle-signer.ts'
import { cosmosAny, cosmosSignDoc, messageClasses, randomCosmos } from '../testing/random-cosmos.fuzz.ts'
import { vectorJson } from '../testing/vectors.ts'
import { accountAddress } from './address.ts'
import { directRounds } from './cosmos-rounds.fuzz.ts'
import { cosmosTransaction } from './transaction.ts'

const key = testKey('secp256k1', 1)
const other = testKey('secp256k1', 2)
const own = accountAddress('cosmos', key.publicKey)
const friend = accountAddress('cosmos', other.publicKey)
const intentOf = (bytes: Uint8Array, chain = 'cosmoshub') =>
  ({ kind: 'transaction', network: 'cosmos', chain, bytes }) as const
const shown = (bytes: Uint8Array, chain = 'cosmoshub') =>
  preview(intentOf(bytes, chain), 'secp256k1', key.publicKey)
const send = (fromAddress = own, amount = [{ denom: 'uatom', amount: '1500000' }]) =>
  cosmosAny(MsgSend, { fromAddress, toAddress: friend, amount })
const plain = cosmosSignDoc([send()], key.publicKey)

const samples = fc.sample(randomCosmos(key.publicKey, own, 'cosmos', 'cosmoshub-4'), {
  numRuns: propertyRuns(250),
  seed: 4,
})

describe('SignDocs beside cosmjs', () => {
  test('those have its signature, TxRaw and hash, and decode', async () => {
    const wallet = await DirectSecp256k1Wallet.fromKey(key.privateKey, 'cosmos')
    for (const { bytes, body, authInfo } of samples) {
      expect(toHex(signingDigest(intentOf(bytes), 'secp256k1', key.publicKey))).toBe(toHex(sha256(bytes)))
      const answer = signIntent(intentOf(bytes), key)
      const { signature } = await wallet.signDirect(own, SignDoc.decode(bytes))
      const expected = base64.decode(signature.signature)
      expect(answer.signature).toBe(toHex0x(expected))
      const raw = TxRaw.encode({ bodyBytes: body, authInfoBytes: authInfo, signatures: [expected] }).finish()
      expect(answer.signed_transaction).toBe(base64.encode(raw))
      expect(answer.transaction_hash).toBe(toHex(sha256(raw)).toUpperCase())
      expect(shown(bytes).actions.length).toBeGreaterThan(0)
    }
  })

  test('each message of a known type is read whole, and cosmjs writes it as it was', () => {
    let known = 0
    for (const { bytes, body } of samples) {
      const { actions } = shown(bytes)
      for (const { typeUrl, value } of TxBody.decode(body).messages) {
        const type = messageClasses.get(typeUrl)
        if (!type) continue
        known++
        expect(toHex(type.encode(type.decode(value)).finish())).toBe(toHex(value))
        expect(actions.some(({ method }) => method === typeUrl)).toBe(false)
      }
    }
    expect(known).toBeGreaterThan(samples.length / 2)
  })

  test('those of Osmosis name its accounts and its coin', () => {
    const osmo = accountAddress('osmo', key.publicKey)
    const documents = fc.sample(randomCosmos(key.publicKey, osmo, 'osmo', 'osmosis-1'), {
      numRuns: 50,
      seed: 5,
    })
    for (const { bytes } of documents) {
      expect(shown(bytes, 'osmosis').from).toBe(osmo)
      expect(() => shown(bytes, 'cosmoshub')).toThrow(expect.objectContaining({ code: 'invalid_payload' }))
    }
  })

  test('the vectors of cosmjs are signed as there', async () => {
    type Case = {
      inputs: { bodyBytes: string; authInfoBytes: string }
      outputs: { signBytes: string; signature: string; signedTxBytes: string }
    }
    type Vectors = { faucet: { pubkey: { value: string }; address: string }; testVectors: Case[] }
    const vectors = vectorJson<Vectors>('chains/cosmos_direct_sign.json')
    if (!vectors) return
    const hub = chainByHandle('cosmoshub')
    if (!hub) throw new Error('the hub has a handle')
    const publicKey = base64.decode(vectors.faucet.pubkey.value)
    const scope = { chain: { ...hub, chainId: 'simd-testing' }, publicKey, address: vectors.faucet.address }
    for (const { outputs } of vectors.testVectors) {
      const bytes = fromHex(outputs.signBytes) ?? new Uint8Array(0)
      const digest = byBytes(cosmosTransaction).digest(bytes, scope)
      const signature = fromHex(outputs.signature) ?? new Uint8Array(0)
      const fixed = Secp256k1Signature.fromFixedLength(signature)
      expect(await Secp256k1.verifySignature(fixed, digest, publicKey)).toBe(true)
      const answer = byBytes(cosmosTransaction).assemble(bytes, scope, [{ signature, recovery: 0 }])
      expect(answer.signed_transaction).toBe(
        base64.encode(fromHex(outputs.signedTxBytes) ?? new Uint8Array(0)),
      )
      expect(byBytes(cosmosTransaction).decode(bytes, scope).actions).toMatchObject([
        { kind: 'transfer', asset: 'ucosm', amount: 1_234_567n, amountDisplay: null },
      ])
    }
  })
})

test('mutated SignDocs are refused with NetworkError or read as cosmjs does', () => {
  directRounds(propertyRuns(4000))
})

describe('several signers', () => {
  const info = ({ publicKey }: typeof key) => ({
    pubkey: encodePubkey(encodeSecp256k1Pubkey(publicKey)),
    sequence: 1,
  })
  const body = (...messages: ReturnType<typeof send>[]) =>
    TxBody.encode(TxBody.fromPartial({ messages })).finish()
  const fee = [{ denom: 'uatom', amount: '5000' }]

  test('give a partly signed TxRaw without a hash, the wallet in its own place', () => {
    const bodyBytes = body(send(friend), send(own))
    const authInfoBytes = makeAuthInfoBytes([info(other), info(key)], fee, 1, undefined, undefined)
    const bytes = makeSignBytes(makeSignDoc(bodyBytes, authInfoBytes, 'cosmoshub-4', 1))
    const answer = signIntent(intentOf(bytes), key)
    const { signatures, ...rest } = TxRaw.decode(messageBytes(String(answer.signed_transaction), 'base64'))
    expect(rest).toEqual({
      bodyBytes: new Uint8Array(bodyBytes),
      authInfoBytes: new Uint8Array(authInfoBytes),
    })
    expect(signatures.map((each) => toHex0x(each))).toEqual(['0x', answer.signature])
    expect(answer).not.toHaveProperty('transaction_hash')
    expect(shown(bytes).warnings).toContain('Other accounts must sign this transaction too.')
    const { actions } = decodeIntentEffects(intentOf(bytes), 'secp256k1', key.publicKey, own)
    expect(actions).toMatchObject([{ from: friend }, { from: own }])
  })

  test('of whom the wallet signs no message are refused, as is a wallet that signs twice', () => {
    for (const infos of [
      [info(other), info(key)],
      [info(key), info(key)],
    ]) {
      const authInfoBytes = makeAuthInfoBytes(infos, fee, 1, undefined, undefined)
      const bytes = makeSignBytes(makeSignDoc(body(send(friend)), authInfoBytes, 'cosmoshub-4', 1))
      expect(() => shown(bytes)).toThrow(expect.objectContaining({ code: 'invalid_payload' }))
    }
  })

  test('are needed where another pays the fee', () => {
    const alone = cosmosSignDoc([send()], key.publicKey, { payer: friend }).bytes
    expect(() => shown(alone)).toThrow(expect.objectContaining({ code: 'invalid_payload' }))
    const authInfoBytes = makeAuthInfoBytes([info(key), info(other)], fee, 1, undefined, friend)
    const bytes = makeSignBytes(makeSignDoc(body(send()), authInfoBytes, 'cosmoshub-4', 1))
    expect(shown(bytes)).toMatchObject({ fee: null })
    expect(shown(bytes).warnings).toContain(`The fee (0.005 ATOM) is paid by ${friend}.`)
  })
})

describe('a SignDoc is refused', () => {
  const refuse = (bytes: Uint8Array, chain = 'cosmoshub') => {
    for (const run of [
      () => shown(bytes, chain),
      () => signingDigest(intentOf(bytes, chain), 'secp256k1', key.publicKey),
    ])
      expect(run).toThrow(expect.objectContaining({ code: 'invalid_payload' }))
  }
  /** The SignDoc with another body or AuthInfo. */
  const withParts = (parts: { body?: Uint8Array; authInfo?: Uint8Array }) =>
    SignDoc.encode(
      SignDoc.fromPartial({
        bodyBytes: parts.body ?? plain.body,
        authInfoBytes: parts.authInfo ?? plain.authInfo,
        chainId: 'cosmoshub-4',
        accountNumber: 42n,
      }),
    ).finish()

  test('that is whole, in no case', () => {
    expect(shown(withParts({})).title).toBe('Send 1.5 ATOM')
  })

  test('of another chain', () => {
    refuse(cosmosSignDoc([send()], key.publicKey, { chainId: 'osmosis-1' }).bytes)
    refuse(plain.bytes, 'osmosis')
  })

  test('with the key of another, or with none', () => {
    refuse(cosmosSignDoc([send()], other.publicKey).bytes)
    const { fee, signerInfos } = AuthInfo.decode(plain.authInfo)
    const encoded = (infos: typeof signerInfos) =>
      AuthInfo.encode(AuthInfo.fromPartial({ signerInfos: infos, ...(fee && { fee }) } as never)).finish()
    expect(shown(withParts({ authInfo: encoded(signerInfos) })).title).toBe('Send 1.5 ATOM')
    refuse(withParts({ authInfo: encoded([]) }))
    const [info] = signerInfos
    if (!info) throw new Error('there is a signer')
    refuse(withParts({ authInfo: encoded([{ ...info, publicKey: undefined } as never]) }))
    const { publicKey } = info
    const otherType = {
      typeUrl: '/ethermint.crypto.v1.ethsecp256k1.PubKey',
      value: publicKey?.value ?? new Uint8Array(0),
    }
    refuse(withParts({ authInfo: encoded([{ ...info, publicKey: otherType }]) }))
  })

  test('in another sign mode', () => {
    const pubkey = encodePubkey(encodeSecp256k1Pubkey(key.publicKey))
    for (const mode of [SignMode.SIGN_MODE_LEGACY_AMINO_JSON, SignMode.SIGN_MODE_TEXTUAL]) {
      const authInfo = makeAuthInfoBytes([{ pubkey, sequence: 7 }], [], 1, undefined, undefined, mode)
      refuse(withParts({ authInfo }))
    }
  })

  test('with a message of another account', () => {
    refuse(cosmosSignDoc([send(friend)], key.publicKey).bytes)
    refuse(cosmosSignDoc([send(), send(friend)], key.publicKey).bytes)
  })

  test('without messages, with more than 256, without a fee', () => {
    refuse(cosmosSignDoc([], key.publicKey).bytes)
    shown(
      cosmosSignDoc(
        Array.from({ length: 256 }, () => send()),
        key.publicKey,
      ).bytes,
    )
    refuse(
      cosmosSignDoc(
        Array.from({ length: 257 }, () => send()),
        key.publicKey,
      ).bytes,
    )
    const { signerInfos } = AuthInfo.decode(plain.authInfo)
    refuse(withParts({ authInfo: AuthInfo.encode(AuthInfo.fromPartial({ signerInfos })).finish() }))
  })

  test('with extension options or a tip', () => {
    const any = { typeUrl: '/a.B', value: Uint8Array.of(1) }
    const messages = [send()]
    refuse(
      withParts({ body: TxBody.encode(TxBody.fromPartial({ messages, extensionOptions: [any] })).finish() }),
    )
    refuse(
      withParts({
        body: TxBody.encode(TxBody.fromPartial({ messages, nonCriticalExtensionOptions: [any] })).finish(),
      }),
    )
    refuse(withParts({ authInfo: Uint8Array.of(...plain.authInfo, 0x1a, 0) }))
  })

  test('with trailing bytes, a cut, a field twice, out of order, with a default value or a long varint', () => {
    const { bytes, body, authInfo } = plain
    refuse(Uint8Array.of(...bytes, 0))
    refuse(bytes.subarray(0, -1))
    refuse(Uint8Array.of(...bytes, 0x20, 42))
    refuse(Uint8Array.of(...bytes.subarray(-2), ...bytes.subarray(0, -2)))
    refuse(Uint8Array.of(...bytes.subarray(0, -1), 0))
    refuse(Uint8Array.of(...bytes.subarray(0, -1), 0xaa, 0))
    refuse(withParts({ body: Uint8Array.of(...body, 0x12, 0) }))
    refuse(withParts({ authInfo: Uint8Array.of(...authInfo, ...authInfo) }))
    refuse(new Uint8Array(0))
  })

  test.each([
    ['an amount with a sign', '+5'],
    ['an amount with zeros before it', '05'],
    ['no amount', ''],
    ['an amount in hex', '0x5'],
  ])('that has %s', (_, amount) => {
    refuse(cosmosSignDoc([send(own, [{ denom: 'uatom', amount }])], key.publicKey).bytes)
  })

  test('with an address in upper case, of another chain or of another length, or a denom that is none', () => {
    const to = (toAddress: string) => cosmosAny(MsgSend, { fromAddress: own, toAddress, amount: [] })
    for (const address of [
      friend.toUpperCase(),
      accountAddress('osmo', other.publicKey),
      `${friend}q`,
      'cosmos1',
      '',
    ])
      refuse(cosmosSignDoc([to(address)], key.publicKey).bytes)
    refuse(cosmosSignDoc([send(own, [{ denom: 'u atom', amount: '1' }])], key.publicKey).bytes)
  })
})
