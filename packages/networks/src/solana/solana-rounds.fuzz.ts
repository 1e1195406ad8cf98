import { base64 } from '@scure/base'
import {
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getTransactionDecoder,
} from '@solana/kit'
import fc from 'fast-check'
import { expect } from 'vitest'
import { toHex } from '../codec/hex.ts'
import { NetworkError } from '../network-error.ts'
import { assertNoTransaction, preview, signingDigest } from '../testing/by-intent.ts'
import { mutated } from '../testing/mutated.fuzz.ts'
import { signIntent, testKey } from '../testing/oracle-signer.ts'
import { randomSolanaTransaction } from '../testing/random-solana-transaction.fuzz.ts'
import { wireBytes } from '../testing/solana-transaction.ts'

const key = testKey('ed25519', 1)

/**
 * Random and mutated bytes are refused with `NetworkError`, or kit writes their message again as it was, reads the
 * signed form, and they are not a raw message.
 */
export function solanaRounds(numRuns: number): void {
  const valid = randomSolanaTransaction.chain((transaction) =>
    fc.constantFrom(wireBytes(transaction), Uint8Array.from(transaction.messageBytes)),
  )
  // Building one costs more than a hundred rounds.
  const pool = fc.sample(valid, Math.min(50 + numRuns / 50, 1000))
  const given = fc.oneof(
    { arbitrary: mutated(fc.constantFrom(...pool)), weight: 9 },
    fc.uint8Array({ maxLength: 300 }),
  )
  let decoded = 0
  fc.assert(
    fc.property(given, (bytes) => {
      const intent = { kind: 'transaction', network: 'solana', chain: 'solana', bytes } as const
      try {
        preview(intent, 'ed25519', key.publicKey)
      } catch (error) {
        expect(error).toBeInstanceOf(NetworkError)
        return
      }
      decoded++
      const message = signingDigest(intent, 'ed25519', key.publicKey)
      const read = getCompiledTransactionMessageDecoder().decode(message)
      expect(toHex(Uint8Array.from(getCompiledTransactionMessageEncoder().encode(read)))).toBe(toHex(message))
      expect(() => assertNoTransaction(bytes)).toThrow(NetworkError)
      if (decoded % 20 > 0) return
      const { signed_transaction } = signIntent(intent, key)
      const signed = getTransactionDecoder().decode(base64.decode(String(signed_transaction)))
      expect(toHex(Uint8Array.from(signed.messageBytes))).toBe(toHex(message))
    }),
    { numRuns },
  )
  expect(decoded).toBeGreaterThan(numRuns / 50)
}
