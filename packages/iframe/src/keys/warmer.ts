import { publicKeyOf } from '@symbolon/networks/private-key'
import type { Curve } from '../protocol/messages.ts'
import { rebuildKey } from './rebuild-key.ts'
import { signDigests } from './sign-digests.ts'
import { splitKey } from './split-key.ts'

const rounds = 3

/**
 * Makes a function that, once for each curve, runs all that lies between two shares and a signature with a key that is
 * nobody's, so that the curve's tables exist and the code is compiled when a real share arrives.
 */
export function warmer(): (curve: Curve) => void {
  const warm = new Set<Curve>()
  return (curve) => {
    if (warm.has(curve)) return
    warm.add(curve)
    const key = new Uint8Array(32).fill(1)
    const publicKey = publicKeyOf(curve, key)
    let drawn = 0
    const { device, provider } = splitKey(key, (length) => new Uint8Array(length).fill(++drawn))
    for (let round = 0; round < rounds; round++) {
      const payload = new Uint8Array(32).fill(round)
      rebuildKey(curve, publicKey, device, provider)
      signDigests([{ payload, scheme: 'plain' }], curve, key, publicKey)
    }
  }
}
