import { schnorr } from '@noble/curves/secp256k1.js'
import { p2tr } from '@scure/btc-signer'
import { combineShares } from '@symbolon/crypto'
import { publicKeyOf } from '@symbolon/networks/private-key'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { generateKey } from './generate-key.ts'
import { rebuildKey } from './rebuild-key.ts'
import { signDigests } from './sign-digests.ts'
import { shareIndex, splitKey } from './split-key.ts'
import { warmer } from './warmer.ts'

const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))
const curves = ['secp256k1', 'ed25519'] as const

describe.each(curves)('a key on %s', (curve) => {
  test('any two of its three shares rebuild it, each at another x from 1 on', () => {
    for (let round = 0; round < 50; round++) {
      const key = generateKey(curve, random)
      const publicKey = publicKeyOf(curve, key)
      const { device, provider, recovery } = splitKey(key, random)
      expect(new Set([device, provider, recovery].map(shareIndex)).size).toBe(3)
      for (const [one, other] of [
        [device, provider],
        [recovery, device],
        [provider, recovery],
      ] as const) {
        expect(shareIndex(one)).toBeGreaterThan(0)
        expect(rebuildKey(curve, publicKey, one, other)).toEqual(key)
      }
    }
  })

  test('shares of two splits of the same key rebuild nothing', () => {
    for (let round = 0; round < 50; round++) {
      const key = generateKey(curve, random)
      const publicKey = publicKeyOf(curve, key)
      const [old, fresh] = [splitKey(key, random), splitKey(key, random)]
      expect(rebuildKey(curve, publicKey, old.device, fresh.provider)).toBeUndefined()
      expect(rebuildKey(curve, publicKey, fresh.device, old.recovery)).toBeUndefined()
    }
  })

  test('shares of another wallet, of x = 0, of equal x or of a wrong length rebuild nothing', () => {
    const key = generateKey(curve, random)
    const publicKey = publicKeyOf(curve, key)
    const { device, provider } = splitKey(key, random)
    const other = splitKey(generateKey(curve, random), random)
    const zero = Uint8Array.from([...key, 0])
    const equal = Uint8Array.from(provider)
    equal[32] = shareIndex(device)
    for (const share of [
      other.provider,
      zero,
      equal,
      device,
      provider.subarray(1),
      new Uint8Array(33),
      new Uint8Array(0),
    ])
      expect(rebuildKey(curve, publicKey, device, share)).toBeUndefined()
  })

  test('one changed bit of a share rebuilds nothing', () => {
    const key = generateKey(curve, random)
    const publicKey = publicKeyOf(curve, key)
    const { device, provider } = splitKey(key, random)
    fc.assert(
      fc.property(fc.nat(33 * 8 - 1), (bit) => {
        const changed = Uint8Array.from(provider)
        changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
        return rebuildKey(curve, publicKey, device, changed) === undefined
      }),
      { numRuns: 60 },
    )
  })

  test('signs nothing that does not verify for the wallet', () => {
    const key = generateKey(curve, random)
    const publicKey = publicKeyOf(curve, generateKey(curve, random))
    const digest = { payload: random(32), scheme: 'plain' } as const
    expect(signDigests([digest], curve, key, publicKeyOf(curve, key))).toHaveLength(1)
    expect(() => signDigests([digest], curve, key, publicKey)).toThrow('does not verify')
  })

  test('warming up touches no randomness and can be repeated', () => {
    const warmUp = warmer()
    warmUp(curve)
    warmUp(curve)
  })
})

test('a taproot signature verifies under the output key of BIP-86, for points of either parity', () => {
  const parities = new Set<number | undefined>()
  for (let fill = 1; fill <= 12; fill++) {
    const key = new Uint8Array(32).fill(fill)
    const publicKey = publicKeyOf('secp256k1', key)
    parities.add(publicKey[0])
    const digest = { payload: random(32), scheme: 'taproot' } as const
    const [{ signature }] = signDigests([digest], 'secp256k1', key, publicKey)
    expect(schnorr.verify(signature, digest.payload, p2tr(publicKey.slice(1)).tweakedPubkey)).toBe(true)
    const other = publicKeyOf('secp256k1', new Uint8Array(32).fill(fill + 1))
    expect(() => signDigests([digest], 'secp256k1', key, other)).toThrow('does not verify')
  }
  expect(parities.size).toBe(2)
})

test('a number outside the order of secp256k1 is drawn again', () => {
  const drawn = [new Uint8Array(32), new Uint8Array(32).fill(255), new Uint8Array(32).fill(7)]
  expect(generateKey('secp256k1', () => drawn.shift() ?? new Uint8Array(0))).toEqual(
    new Uint8Array(32).fill(7),
  )
})

test('the x of the shares are drawn, zeros and repetitions drawn again', () => {
  const drawn = [0, 9, 9, 0, 200, 9, 1]
  const key = new Uint8Array(32).fill(3)
  const { device, provider, recovery } = splitKey(key, (length) =>
    length === 1 ? Uint8Array.of(drawn.shift() ?? 0) : random(length),
  )
  expect([device, provider, recovery].map(shareIndex)).toEqual([9, 200, 1])
  const out = new Uint8Array(32)
  combineShares(device, recovery, out)
  expect(out).toEqual(key)
})
