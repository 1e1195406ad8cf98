import { Transaction } from 'bitcoinjs-lib'
import fc from 'fast-check'
import { expect } from 'vitest'
import { toHex } from '../codec/hex.ts'
import { NetworkError } from '../network-error.ts'
import { byBytes, chainByHandle } from '../testing/by-intent.ts'
import { mutated } from '../testing/mutated.fuzz.ts'
import { sampleKeys, samplePsbt } from '../testing/random-psbt.fuzz.ts'
import { encodePsbt, readPsbt } from './psbt.ts'
import { bitcoinTransaction } from './transaction.ts'

const chain = chainByHandle('bitcoin')
if (!chain) throw new Error('bitcoin is a chain')
const signature = new Uint8Array(64).fill(1)

/**
 * Random and mutated PSBTs: each is refused with `NetworkError`, or is written back as it was read and assembled to
 * what bitcoinjs takes for a transaction. Answers how many were not refused.
 */
export function psbtRounds(numRuns: number, seed: number): number {
  const samples = Array.from({ length: 30 }, (_, index) => ({
    bytes: samplePsbt(index, index % 3 === 0).psbt,
    publicKey: sampleKeys(index).wallet.publicKey,
  }))
  const nearlyValid = fc
    .constantFrom(...samples)
    .chain(({ bytes, publicKey }) =>
      mutated(fc.constant(bytes)).map((changed) => ({ bytes: changed, publicKey })),
    )
  const noise = fc.uint8Array({ maxLength: 300 }).map((tail) => ({
    bytes: Uint8Array.of(0x70, 0x73, 0x62, 0x74, 0xff, ...tail),
    publicKey: sampleKeys(0).wallet.publicKey,
  }))
  const given = fc.oneof({ arbitrary: nearlyValid, weight: 4 }, { arbitrary: noise, weight: 1 })
  let taken = 0
  fc.assert(
    fc.property(given, ({ bytes, publicKey }) => {
      if (!isTaken(bytes, publicKey)) return
      taken++
      expect(toHex(encodePsbt(readPsbt(bytes)))).toBe(toHex(bytes))
    }),
    { numRuns, seed },
  )
  return taken
}

function isTaken(bytes: Uint8Array, publicKey: Uint8Array): boolean {
  if (chain === undefined) throw new Error('there is such a chain')
  const bitcoinTransactions = byBytes(bitcoinTransaction)
  const scope = { chain, publicKey, address: 'bc1q' }
  try {
    bitcoinTransactions.decode(bytes, scope)
  } catch (error) {
    expect(error).toBeInstanceOf(NetworkError)
    expect(() => bitcoinTransactions.digests(bytes, scope)).toThrow(NetworkError)
    return false
  }
  const digests = bitcoinTransactions.digests(bytes, scope)
  expect(digests.every(({ payload }) => payload.length === 32)).toBe(true)
  const [first, ...rest] = digests.map(() => ({ signature, recovery: 0 }))
  const answer = bitcoinTransactions.assemble(bytes, scope, [first ?? { signature, recovery: 0 }, ...rest])
  if (answer.transaction_hash !== undefined) {
    const transaction = Transaction.fromHex(String(answer.signed_transaction).slice(2))
    expect(transaction.getId()).toBe(answer.transaction_hash)
  }
  return true
}
