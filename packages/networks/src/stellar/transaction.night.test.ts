import { Keypair, type Transaction } from '@stellar/stellar-base'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NetworkError } from '../network-error.ts'
import { preview } from '../testing/by-intent.ts'
import { mutated } from '../testing/mutated.fuzz.ts'
import { signIntent, testKey } from '../testing/oracle-signer.ts'
import { feeBumpOf, randomStellar } from '../testing/random-stellar.fuzz.ts'

const key = testKey('ed25519', 1)
const own = Keypair.fromRawEd25519Seed(Buffer.from(key.privateKey)).publicKey()
const bytesOf = (transaction: Pick<Transaction, 'toEnvelope'>) =>
  Uint8Array.from(transaction.toEnvelope().toXDR())

test('100,000 random and mutated Stellar envelopes are refused with the typed error or have a preview', () => {
  // The SDK takes its time: two thousand envelopes, each mutated many times.
  const samples = fc.sample(randomStellar(own), { numRuns: 2000 })
  const valid = [
    ...samples.map(bytesOf),
    ...samples.slice(0, 200).map((sample) => bytesOf(feeBumpOf(sample, own))),
  ]
  const head = Uint8Array.of(0, 0, 0, 2, 0, 0, 0, 0, ...key.publicKey)
  const given = fc.oneof(
    { arbitrary: mutated(fc.constantFrom(...valid)), weight: 4 },
    {
      arbitrary: fc.uint8Array({ maxLength: 400 }).map((tail) => Uint8Array.of(...head, ...tail)),
      weight: 1,
    },
  )
  fc.assert(
    fc.property(given, (bytes) => {
      const intent = { kind: 'transaction', network: 'stellar', chain: 'stellar', bytes } as const
      try {
        preview(intent, 'ed25519', key.publicKey)
      } catch (error) {
        expect(error).toBeInstanceOf(NetworkError)
        expect(() => signIntent(intent, key)).toThrow(NetworkError)
      }
    }),
    { numRuns: 100_000 },
  )
})
