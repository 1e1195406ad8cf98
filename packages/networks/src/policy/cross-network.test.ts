import { describe, expect, test } from 'vitest'
import { NetworkError } from '../network-error.ts'
import { chainByHandle, decodeForAgent } from '../testing/by-intent.ts'
import { chainsOfRounds, validTransactions } from './transaction-rounds.fuzz.ts'

const chains = ['ethereum', ...chainsOfRounds].flatMap((handle) => chainByHandle(handle) ?? [])
const pairs = chainsOfRounds.flatMap((handle) =>
  chains.flatMap((other) => {
    const isForeign = other.handle !== handle && chainByHandle(handle)?.curve === other.curve
    return isForeign ? [{ handle, other, name: other.handle }] : []
  }),
)

describe('one key on several networks', () => {
  test.each(pairs)(
    'a transaction of $handle, and its signed bytes, are not a transaction of $name',
    ({ handle, other }) => {
      const chain = chainByHandle(handle)
      if (chain === undefined) throw new Error('there is such a chain')
      for (const [bytes, publicKey] of validTransactions(handle, 15)) {
        const own = { kind: 'transaction', network: chain.network, chain: handle, bytes } as const
        const { digests } = decodeForAgent(own, chain.curve, publicKey)
        for (const payload of [bytes, digests]) {
          const intent = {
            kind: 'transaction',
            network: other.network,
            chain: other.handle,
            bytes: payload,
          } as const
          expect(() => decodeForAgent(intent, other.curve, publicKey)).toThrow(NetworkError)
        }
      }
    },
  )
})
