import fc from 'fast-check'
import { expect } from 'vitest'
import { toHex } from '../codec/hex.ts'
import { NetworkError } from '../network-error.ts'
import { preview, signingDigest } from '../testing/by-intent.ts'
import { mutated } from '../testing/mutated.fuzz.ts'
import { testKey } from '../testing/oracle-signer.ts'
import { randomTron, tronBytes, tronContract, tronRewritten } from '../testing/random-tron.fuzz.ts'
import { accountAddress } from './address.ts'

const { publicKey } = testKey('secp256k1', 1)
const valid = randomTron(toHex(accountAddress(publicKey))).map(tronBytes)

/** Random and mutated bytes are refused with `NetworkError`, or are what tronweb writes again after reading them. */
export function tronRounds(numRuns: number): void {
  const given = fc.oneof({ arbitrary: mutated(valid), weight: 9 }, fc.uint8Array({ maxLength: 300 }))
  let decoded = 0
  fc.assert(
    fc.property(given, (bytes) => {
      const intent = { kind: 'transaction', network: 'tron', chain: 'tron', bytes } as const
      let actions: { kind: string; to: string | null }[]
      try {
        actions = preview(intent, 'secp256k1', publicKey).actions
      } catch (error) {
        expect(error).toBeInstanceOf(NetworkError)
        expect((error as NetworkError).code).toBe('invalid_payload')
        expect(() => signingDigest(intent, 'secp256k1', publicKey)).toThrow(NetworkError)
        return
      }
      decoded++
      signingDigest(intent, 'secp256k1', publicKey)
      if (hasLongNumber(bytes)) return
      expect(toHex(tronRewritten(bytes))).toBe(toHex(bytes))
      const [first] = actions
      // A type of contract that is not known, or not to tronweb.
      if (first?.kind === 'unknown' && first.to === null) return
      const { value, rewritten } = tronContract(bytes)
      expect(toHex(rewritten)).toBe(toHex(value))
    }),
    { numRuns },
  )
  // About one in fifteen is: the property would hold of a decoder that refuses everything.
  expect(decoded).toBeGreaterThan(0)
}

/** Whether a number may be above 2^53: tronweb reads numbers as JavaScript's. */
function hasLongNumber(bytes: Uint8Array): boolean {
  let run = 0
  for (const byte of bytes) {
    run = byte >= 0x80 ? run + 1 : 0
    if (run === 7) return true
  }
  return false
}
