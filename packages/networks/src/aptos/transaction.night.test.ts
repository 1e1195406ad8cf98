import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NetworkError } from '../network-error.ts'
import { preview } from '../testing/by-intent.ts'
import { mutated } from '../testing/mutated.fuzz.ts'
import { signIntent, testKey } from '../testing/oracle-signer.ts'
import { aptosBytes, randomAptos } from '../testing/random-aptos.fuzz.ts'
import { accountAddress } from './address.ts'

const key = testKey('ed25519', 1)
const sender = accountAddress(key.publicKey)

test('100,000 random and mutated Aptos transactions are refused with the typed error or have a preview', () => {
  const valid = randomAptos(sender, 1).map(aptosBytes)
  const given = fc.oneof(
    { arbitrary: mutated(valid), weight: 3 },
    {
      arbitrary: fc.uint8Array({ maxLength: 400 }).map((tail) => Uint8Array.of(...sender, ...tail)),
      weight: 1,
    },
  )
  fc.assert(
    fc.property(given, (bytes) => {
      const intent = { kind: 'transaction', network: 'aptos', chain: 'aptos', bytes } as const
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
