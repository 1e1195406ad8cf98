import { decodeTransaction, encodeDelegateAction, encodeTransaction } from '@near-js/transactions'
import fc from 'fast-check'
import { expect } from 'vitest'
import { toHex } from '../codec/hex.ts'
import { NetworkError } from '../network-error.ts'
import { assertNoTransaction, preview } from '../testing/by-intent.ts'
import { mutated } from '../testing/mutated.fuzz.ts'
import { testKey } from '../testing/oracle-signer.ts'
import { randomNearDelegate, randomNearTransaction } from '../testing/random-near-transaction.fuzz.ts'

const { publicKey } = testKey('ed25519', 1)
const accounts = [toHex(publicKey), 'alice.near']

/** Random and mutated bytes are refused with `NetworkError`, or are what near-js writes again, and no raw message. */
export function nearRounds(numRuns: number): void {
  const valid = fc.oneof(
    randomNearTransaction(publicKey, accounts).map((transaction) => encodeTransaction(transaction)),
    randomNearDelegate(publicKey, accounts).map((delegate) => encodeDelegateAction(delegate)),
  )
  const given = fc.oneof({ arbitrary: mutated(valid), weight: 9 }, fc.uint8Array({ maxLength: 300 }))
  let decoded = 0
  fc.assert(
    fc.property(given, (bytes) => {
      try {
        preview({ kind: 'transaction', network: 'near', chain: 'near', bytes }, 'ed25519', publicKey)
      } catch (error) {
        expect(error).toBeInstanceOf(NetworkError)
        return
      }
      decoded++
      if (bytes[3] === 0) expect(toHex(decodeTransaction(bytes).encode())).toBe(toHex(bytes))
      expect(() => assertNoTransaction(bytes)).toThrow(NetworkError)
    }),
    { numRuns },
  )
  expect(decoded).toBeGreaterThan(numRuns / 50)
}
