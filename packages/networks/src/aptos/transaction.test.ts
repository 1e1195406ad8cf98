import {
  Account,
  AccountAddress,
  type AccountAuthenticatorEd25519,
  AccountAuthenticatorNoAccountAuthenticator,
  ChainId,
  Deserializer,
  Ed25519PrivateKey,
  Ed25519PublicKey,
  Ed25519Signature,
  EntryFunction,
  FeePayerRawTransaction,
  generateSignedTransaction,
  generateSigningMessageForTransaction,
  generateUserTransactionHash,
  parseTypeTag,
  RawTransaction,
  RawTransactionWithData,
  SignedTransaction,
  TransactionAuthenticatorFeePayer,
  TransactionPayloadEntryFunction,
  U64,
} from '@aptos-labs/ts-sdk'
import { propertyRuns } from '@symbolon/testing/properties'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toHex0x } from '../codec/hex.ts'
import { NetworkError } from '../network-error.ts'
import { preview, signingDigest } from '../testing/by-intent.ts'
import { mutated } from '../testing/mutated.fuzz.ts'
import { signIntent, testKey } from '../testing/oracle-signer.ts'
import { type AptosSample, aptosBytes, randomAptos } from '../testing/random-aptos.fuzz.ts'
import { accountAddress } from './address.ts'

const key = testKey('ed25519', 1)
const sender = accountAddress(key.publicKey)
const account = Account.fromPrivateKey({
  privateKey: new Ed25519PrivateKey(toHex0x(key.privateKey), false),
  legacy: true,
})
const samples = fc.sample(randomAptos(sender, 1), { numRuns: propertyRuns(250), seed: 4 })

const intentOf = (bytes: Uint8Array, chain = 'aptos') =>
  ({ kind: 'transaction', network: 'aptos', chain, bytes }) as const
const isAlone = ({ secondarySignerAddresses, feePayerAddress }: AptosSample) =>
  secondarySignerAddresses === undefined && feePayerAddress === undefined
const oracle = (sample: AptosSample, authenticator: AccountAuthenticatorEd25519) => {
  const none = new AccountAuthenticatorNoAccountAuthenticator()
  return {
    transaction: sample as never,
    senderAuthenticator: authenticator,
    feePayerAuthenticator: none,
    additionalSignersAuthenticators: (sample.secondarySignerAddresses ?? []).map(() => none),
  }
}

describe('types of a call', () => {
  const calling = (types: readonly string[]) => {
    const tags = types.map((text) => parseTypeTag(text))
    const call = EntryFunction.build('0x1::aptos_account', 'transfer_coins', tags, [
      AccountAddress.from(sender),
      new U64(1),
    ])
    const payload = new TransactionPayloadEntryFunction(call)
    const raw = new RawTransaction(AccountAddress.from(sender), 1n, payload, 1n, 1n, 1n, new ChainId(1))
    return () => preview(intentOf(raw.bcsToBytes()), 'ed25519', key.publicKey)
  }
  const long = (name: string) => `0x1::a::${name.repeat(245)}`

  test('are 256 at most, and no longer than 4,096 letters together', () => {
    const tooMany = expect.objectContaining({ code: 'invalid_payload' })
    expect(calling(Array.from({ length: 256 }, () => 'u8'))).not.toThrow()
    expect(calling(Array.from({ length: 257 }, () => 'u8'))).toThrow(tooMany)
    expect(calling(Array.from({ length: 16 }, () => long('b')))).not.toThrow()
    expect(calling(Array.from({ length: 17 }, () => long('b')))).toThrow(tooMany)
  })
})

describe('transactions of the Aptos SDK', () => {
  test('are signed over the message that the SDK signs', () => {
    for (const sample of samples) {
      const digest = signingDigest(intentOf(aptosBytes(sample)), 'ed25519', key.publicKey)
      expect(toHex0x(digest)).toBe(toHex0x(generateSigningMessageForTransaction(sample as never)))
    }
  })

  test('give the signed bytes and the hash of the SDK, or the same partly signed bytes and no hash', () => {
    for (const sample of samples) {
      const answer = signIntent(intentOf(aptosBytes(sample)), key)
      const given = oracle(
        sample,
        account.signTransactionWithAuthenticator(sample as never) as AccountAuthenticatorEd25519,
      )
      expect(answer.signed_transaction).toBe(toHex0x(generateSignedTransaction(given)))
      const isComplete =
        isAlone(sample) || (!sample.feePayerAddress && !sample.secondarySignerAddresses?.length)
      expect(answer.transaction_hash).toBe(isComplete ? generateUserTransactionHash(given) : undefined)
    }
  })

  test('all have a preview with an action, from the wallet', () => {
    for (const sample of samples) {
      const { actions, from } = preview(intentOf(aptosBytes(sample)), 'ed25519', key.publicKey)
      expect(actions.length).toBeGreaterThan(0)
      expect(from).toBe(toHex0x(sender))
    }
  })
})

test('a fee payer completes the partly signed form with the SDK', () => {
  const payer = Account.fromPrivateKey({
    privateKey: new Ed25519PrivateKey(toHex0x(testKey('ed25519', 2).privateKey), false),
    legacy: true,
  })
  const [first] = samples.filter(isAlone)
  if (!first) throw new Error('there is no plain sample')
  const sample = { ...first, secondarySignerAddresses: [], feePayerAddress: payer.accountAddress }
  const { signed_transaction } = signIntent(intentOf(aptosBytes(sample)), key)
  const partly = SignedTransaction.deserialize(Deserializer.fromHex(String(signed_transaction)))
  const { sender: own } = partly.authenticator as TransactionAuthenticatorFeePayer
  const message = generateSigningMessageForTransaction(sample as never)
  const signature = new Ed25519Signature((own as AccountAuthenticatorEd25519).signature.toUint8Array())
  expect(new Ed25519PublicKey(key.publicKey).verifySignature({ message, signature })).toBe(true)
  const complete = generateSignedTransaction({
    transaction: sample as never,
    senderAuthenticator: own,
    feePayerAuthenticator: payer.signTransactionWithAuthenticator(sample as never),
  })
  expect(complete.length).toBeGreaterThan(partly.bcsToBytes().length)
  const parts = SignedTransaction.deserialize(new Deserializer(complete)).authenticator
  expect(parts).toBeInstanceOf(TransactionAuthenticatorFeePayer)
})

test('a wallet that pays its own fee signs for both, and the hash is there', () => {
  const [first] = samples.filter(isAlone)
  if (!first) throw new Error('there is no plain sample')
  const sample = { ...first, secondarySignerAddresses: [], feePayerAddress: account.accountAddress }
  const authenticator = account.signTransactionWithAuthenticator(sample as never)
  const given = {
    transaction: sample as never,
    senderAuthenticator: authenticator,
    feePayerAuthenticator: authenticator,
  }
  const answer = signIntent(intentOf(aptosBytes(sample)), key)
  expect(answer.signed_transaction).toBe(toHex0x(generateSignedTransaction(given)))
  expect(answer.transaction_hash).toBe(generateUserTransactionHash(given))
})

/** The SDK's own reading and writing of the bytes. */
function rewritten(bytes: Uint8Array): Uint8Array {
  const isPlain = sender.every((byte, index) => bytes[index] === byte)
  const type = isPlain ? RawTransaction : RawTransactionWithData
  return type.deserialize(new Deserializer(bytes)).bcsToBytes()
}

describe('bytes that are not a transaction of the wallet', () => {
  const given = fc.oneof(
    { arbitrary: mutated(fc.constantFrom(...samples.map(aptosBytes))), weight: 3 },
    {
      arbitrary: fc.uint8Array({ maxLength: 300 }).map((tail) => Uint8Array.of(...sender, ...tail)),
      weight: 1,
    },
    { arbitrary: fc.uint8Array({ maxLength: 300 }), weight: 1 },
  )

  test('are refused with the typed error, and what decodes is what the SDK writes', () => {
    let decoded = 0
    fc.assert(
      fc.property(given, (bytes) => {
        try {
          preview(intentOf(bytes), 'ed25519', key.publicKey)
          signingDigest(intentOf(bytes), 'ed25519', key.publicKey)
        } catch (error) {
          expect(error).toBeInstanceOf(NetworkError)
          expect((error as NetworkError).code).toBe('invalid_payload')
          return
        }
        decoded++
        expect(toHex0x(rewritten(bytes))).toBe(toHex0x(bytes))
      }),
      { numRuns: propertyRuns(2000), seed: 11 },
    )
    expect(decoded).toBeGreaterThan(propertyRuns(2000) / 20)
  })

  const plain = samples.filter(isAlone).map(aptosBytes)[0] ?? new Uint8Array(0)
  const refused = (bytes: Uint8Array, chain = 'aptos', index = 1) =>
    expect(() =>
      signingDigest(intentOf(bytes, chain), 'ed25519', testKey('ed25519', index).publicKey),
    ).toThrow(NetworkError)

  test('are those of another sender, of another chain, cut or with trailing bytes', () => {
    refused(plain, 'aptos', 2)
    refused(plain, 'aptos-testnet')
    refused(plain.subarray(0, -1))
    refused(Uint8Array.of(...plain, 0))
    refused(new Uint8Array(0))
  })

  test('are those that name a signer twice, or the sender as a further signer', () => {
    const [first] = samples.filter(isAlone)
    if (!first) throw new Error('there is no plain sample')
    const other = Account.generate().accountAddress
    const { rawTransaction } = first
    refused(new FeePayerRawTransaction(rawTransaction, [other, other], other).bcsToBytes())
    refused(new FeePayerRawTransaction(rawTransaction, [account.accountAddress], other).bcsToBytes())
  })
})
