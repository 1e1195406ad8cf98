import {
  Account,
  type FeeBumpTransaction,
  hash,
  Keypair,
  Networks,
  Operation,
  StrKey,
  type Transaction,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-base'
import { propertyRuns } from '@symbolon/testing/properties'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toHex } from '../codec/hex.ts'
import { NetworkError } from '../network-error.ts'
import { preview, signingDigest } from '../testing/by-intent.ts'
import { mutated } from '../testing/mutated.fuzz.ts'
import { signIntent, testKey } from '../testing/oracle-signer.ts'
import { feeBumpOf, randomStellar } from '../testing/random-stellar.fuzz.ts'

type Signable = Transaction | FeeBumpTransaction

const key = testKey('ed25519', 1)
const own = Keypair.fromRawEd25519Seed(Buffer.from(key.privateKey))
const other = Keypair.fromRawEd25519Seed(Buffer.from(testKey('ed25519', 2).privateKey))
const bytesOf = (transaction: Signable) => Uint8Array.from(transaction.toEnvelope().toXDR())
const intentOf = (transaction: Signable | Uint8Array, chain = 'stellar') => {
  const bytes = transaction instanceof Uint8Array ? transaction : bytesOf(transaction)
  return { kind: 'transaction', network: 'stellar', chain, bytes } as const
}
const samples = fc.sample(randomStellar(own.publicKey()), { numRuns: propertyRuns(800), seed: 5 })
const isOwnAlone = ({ operations, extraSigners }: Transaction) =>
  (extraSigners ?? []).length === 0 &&
  operations.every(({ source }) => source === undefined || source === own.publicKey())
const alone = samples.filter(isOwnAlone)
const [simple, second] = alone
if (!simple || !second) throw new Error('there is no sample of the wallet alone')

/** A copy without the signatures that earlier tests made. */
const copyOf = <kind extends Signable>(transaction: kind): kind =>
  TransactionBuilder.fromXDR(transaction.toEnvelope(), transaction.networkPassphrase) as kind

describe('transactions of the Stellar SDK', () => {
  test('are signed over their hash on the public network', () => {
    for (const sample of samples) {
      const digest = signingDigest(intentOf(sample), 'ed25519', key.publicKey)
      expect(toHex(digest)).toBe(sample.hash().toString('hex'))
    }
  })

  test('are signed over another hash on the test network', () => {
    for (const sample of fc.sample(randomStellar(own.publicKey(), Networks.TESTNET), {
      numRuns: 20,
      seed: 6,
    })) {
      const digest = signingDigest(intentOf(sample, 'stellar-testnet'), 'ed25519', key.publicKey)
      expect(toHex(digest)).toBe(sample.hash().toString('hex'))
      expect(toHex(signingDigest(intentOf(sample), 'ed25519', key.publicKey))).not.toBe(toHex(digest))
    }
  })

  test('give the envelope of the SDK, and its hash unless another account must sign', () => {
    expect(alone.length).toBeGreaterThan(5)
    for (const sample of samples) {
      const answer = signIntent(intentOf(sample), key)
      const signed = copyOf(sample)
      signed.sign(own)
      expect(answer.signed_transaction).toBe(signed.toEnvelope().toXDR('base64'))
      expect(answer.transaction_hash).toBe(isOwnAlone(sample) ? sample.hash().toString('hex') : undefined)
    }
  })

  test('all have a preview with an action for each operation, from the wallet', () => {
    for (const sample of samples) {
      const { actions, from } = preview(intentOf(sample), 'ed25519', key.publicKey)
      expect(actions.length).toBeGreaterThanOrEqual(sample.operations.length)
      expect(from).toBe(own.publicKey())
    }
  })
})

describe('signatures', () => {
  const payFrom = (source: Keypair) => {
    const sample = copyOf(simple)
    const builder = TransactionBuilder.cloneFrom(sample)
    return builder.addOperation(Operation.inflation({ source: source.publicKey() })).build()
  }

  test('of others are kept, and with them the transaction is complete', () => {
    const shared = payFrom(other)
    expect(signIntent(intentOf(shared), key).transaction_hash).toBeUndefined()
    const signed = copyOf(shared)
    signed.sign(other)
    const answer = signIntent(intentOf(signed), key)
    expect(answer.transaction_hash).toBe(shared.hash().toString('hex'))
    signed.sign(own)
    expect(answer.signed_transaction).toBe(signed.toEnvelope().toXDR('base64'))
  })

  test('of others count only if they are good: a foreign or made-up one under their mark is none', () => {
    const shared = payFrom(other)
    const hint = other.signatureHint()
    const forged = [
      Buffer.alloc(64, 7),
      other.sign(Buffer.alloc(32, 7)),
      own.sign(shared.hash()),
      Buffer.alloc(63, 7),
    ]
    for (const signature of forged) {
      const signed = copyOf(shared)
      signed.signatures.push(new xdr.DecoratedSignature({ hint, signature }))
      expect(signIntent(intentOf(signed), key).transaction_hash).toBeUndefined()
      signed.sign(other)
      expect(signIntent(intentOf(signed), key).transaction_hash).toBe(shared.hash().toString('hex'))
    }
  })

  test('of another account are missing though its mark is that of the wallet', () => {
    const twin = Buffer.from(key.publicKey)
    twin[0] = (twin[0] ?? 0) ^ 1
    const source = StrKey.encodeEd25519PublicKey(twin)
    const shared = TransactionBuilder.cloneFrom(copyOf(simple))
      .addOperation(Operation.inflation({ source }))
      .build()
    expect(signIntent(intentOf(shared), key).transaction_hash).toBeUndefined()
    shared.sign(own)
    expect(signIntent(intentOf(shared), key).transaction_hash).toBeUndefined()
  })

  test('that further signers owe are missing until they are good', () => {
    const preimage = Buffer.alloc(32, 9)
    const signers = [other.publicKey(), StrKey.encodeSha256Hash(hash(preimage))]
    const extra = new TransactionBuilder(new Account(own.publicKey(), '7'), {
      fee: '100',
      networkPassphrase: Networks.PUBLIC,
    })
      .addOperation(Operation.inflation({}))
      .setExtraSigners(signers)
      .setTimeout(0)
      .build()
    expect(signIntent(intentOf(extra), key).transaction_hash).toBeUndefined()
    extra.sign(other)
    expect(signIntent(intentOf(extra), key).transaction_hash).toBeUndefined()
    extra.signHashX(preimage)
    expect(signIntent(intentOf(extra), key).transaction_hash).toBe(extra.hash().toString('hex'))
  })

  test('that could be checked without end are checked ten at most, and leave out a hash at worst', () => {
    const shared = payFrom(other)
    const hint = other.signatureHint()
    for (let index = 0; index < 10; index++)
      shared.signatures.push(new xdr.DecoratedSignature({ hint, signature: Buffer.alloc(64, index) }))
    shared.sign(other)
    expect(signIntent(intentOf(shared), key).transaction_hash).toBeUndefined()
  })

  test('that are there already are not added again', () => {
    const signed = copyOf(simple)
    signed.sign(own)
    expect(signIntent(intentOf(signed), key).signed_transaction).toBe(signed.toEnvelope().toXDR('base64'))
  })

  test('a full envelope takes no more', () => {
    const signed = copyOf(simple)
    for (let index = 10; index < 30; index++)
      signed.sign(Keypair.fromRawEd25519Seed(Buffer.from(testKey('ed25519', index).privateKey)))
    expect(() => signIntent(intentOf(signed), key)).toThrow('as many signatures')
  })
})

describe('fee bumps', () => {
  test('around the transaction of another account are signed over their own hash', () => {
    const [inner] = fc.sample(randomStellar(other.publicKey()), { numRuns: 1, seed: 9 })
    if (!inner) throw new Error('there is no sample')
    inner.sign(other)
    const bump = feeBumpOf(inner, own.publicKey())
    const answer = signIntent(intentOf(bump), key)
    bump.sign(own)
    expect(answer.signed_transaction).toBe(bump.toEnvelope().toXDR('base64'))
    expect(preview(intentOf(bump), 'ed25519', key.publicKey)).toMatchObject({
      actions: [{ kind: 'call', method: 'fee_bump', to: other.publicKey() }],
      fee: { asset: 'XLM', amount: bump.fee },
    })
  })

  test('are complete when the inner transaction is', () => {
    const builder = new TransactionBuilder(new Account(other.publicKey(), '7'), {
      fee: '100',
      networkPassphrase: Networks.PUBLIC,
    })
    const inner = builder.addOperation(Operation.inflation({})).setTimeout(0).build()
    expect(signIntent(intentOf(feeBumpOf(inner, own.publicKey())), key).transaction_hash).toBeUndefined()
    inner.sign(other)
    const bump = feeBumpOf(inner, own.publicKey())
    expect(signIntent(intentOf(bump), key).transaction_hash).toBe(bump.hash().toString('hex'))
  })

  test('are not complete while the inner transaction misses the signature of the wallet itself', () => {
    const inner = new TransactionBuilder(new Account(other.publicKey(), '7'), {
      fee: '100',
      networkPassphrase: Networks.PUBLIC,
    })
      .addOperation(Operation.inflation({ source: own.publicKey() }))
      .setTimeout(0)
      .build()
    inner.sign(other)
    const answer = signIntent(intentOf(feeBumpOf(inner, own.publicKey())), key)
    expect(answer.transaction_hash).toBeUndefined()
  })

  test('that another account pays: the wallet signs the inner transaction, and pays at most its fee', () => {
    const bump = feeBumpOf(copyOf(simple), other.publicKey())
    const answer = signIntent(intentOf(bump), key)
    const inner = copyOf(simple)
    inner.sign(own)
    expect(answer.signed_transaction).toBe(feeBumpOf(inner, other.publicKey()).toEnvelope().toXDR('base64'))
    expect(answer.transaction_hash).toBeUndefined()
    expect(preview(intentOf(bump), 'ed25519', key.publicKey).fee?.amount).toBe(simple.fee)
  })

  test('of the wallet around its own transaction take two signatures, the inner one first', () => {
    const bump = feeBumpOf(copyOf(simple), own.publicKey())
    const first = signIntent(intentOf(bump), key)
    expect(first.transaction_hash).toBeUndefined()
    const half = Uint8Array.from(Buffer.from(String(first.signed_transaction), 'base64'))
    const whole = signIntent(intentOf(half), key)
    const inner = copyOf(simple)
    inner.sign(own)
    const oracle = feeBumpOf(inner, own.publicKey())
    oracle.sign(own)
    expect(whole.signed_transaction).toBe(oracle.toEnvelope().toXDR('base64'))
    expect(whole.transaction_hash).toBe(oracle.hash().toString('hex'))
  })

  test('of the wallet around its own transaction are signed inside first, though somebody made up that signature', () => {
    const forged = copyOf(simple)
    const signature = Buffer.alloc(64, 7)
    forged.signatures.push(new xdr.DecoratedSignature({ hint: own.signatureHint(), signature }))
    const answer = signIntent(intentOf(feeBumpOf(forged, own.publicKey())), key)
    forged.sign(own)
    expect(answer.signed_transaction).toBe(feeBumpOf(forged, own.publicKey()).toEnvelope().toXDR('base64'))
    expect(answer.transaction_hash).toBeUndefined()
  })

  test('whose fee source has signed before the inner transaction is are refused', () => {
    const bump = feeBumpOf(copyOf(simple), other.publicKey())
    bump.sign(other)
    expect(() => signIntent(intentOf(bump), key)).toThrow('signed already')
  })
})

describe('bytes that are not a transaction of the wallet', () => {
  const valid = samples.map(bytesOf)
  const bumps = alone.slice(0, 20).map((sample) => bytesOf(feeBumpOf(copyOf(sample), own.publicKey())))
  const head = Uint8Array.of(0, 0, 0, 2, 0, 0, 0, 0, ...key.publicKey)
  const given = fc.oneof(
    { arbitrary: mutated(fc.constantFrom(...valid, ...bumps)), weight: 4 },
    {
      arbitrary: fc.uint8Array({ maxLength: 300 }).map((tail) => Uint8Array.of(...head, ...tail)),
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
        expect(xdr.TransactionEnvelope.fromXDR(Buffer.from(bytes)).toXDR('hex')).toBe(toHex(bytes))
      }),
      { numRuns: propertyRuns(2000), seed: 12 },
    )
    expect(decoded).toBeGreaterThan(propertyRuns(2000) / 20)
  })

  const refused = (bytes: Uint8Array, index = 1) => {
    expect(() => signingDigest(intentOf(bytes), 'ed25519', testKey('ed25519', index).publicKey)).toThrow(
      NetworkError,
    )
  }

  test('are those of another source, cut, with trailing bytes, or of version 0', () => {
    const plain = bytesOf(simple)
    refused(plain, 2)
    refused(plain.subarray(0, -1))
    refused(plain.subarray(0, -4))
    refused(Uint8Array.of(...plain, 0, 0, 0, 0))
    refused(new Uint8Array(0))
    refused(bytesOf(feeBumpOf(copyOf(simple), other.publicKey())), 3)
    const v1 = simple.toEnvelope().v1().tx()
    const version0 = new xdr.TransactionV0({
      sourceAccountEd25519: own.rawPublicKey(),
      fee: v1.fee(),
      seqNum: v1.seqNum(),
      timeBounds: null,
      memo: v1.memo(),
      operations: v1.operations(),
      ext: new xdr.TransactionV0Ext(0),
    })
    const envelope = xdr.TransactionEnvelope.envelopeTypeTxV0(
      new xdr.TransactionV0Envelope({ tx: version0, signatures: [] }),
    )
    refused(Uint8Array.from(envelope.toXDR()))
  })
})
