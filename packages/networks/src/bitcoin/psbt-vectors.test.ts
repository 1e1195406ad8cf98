import { expect, test } from 'vitest'
import { concat } from '../codec/concat.ts'
import { fromHex, toHex } from '../codec/hex.ts'
import { vectorJson, vectorText } from '../testing/vectors.ts'
import { littleEndian32 } from './compact-size.ts'
import { readTransaction, transactionOutput } from './raw-transaction.ts'
import { spendDigests } from './sighash.ts'
import type { SpendInput } from './spend.ts'

const hex = (text: string): Uint8Array => fromHex(text) ?? new Uint8Array()

function outputOf(amount: number, script: Uint8Array) {
  const low = littleEndian32(amount % 2 ** 32)
  return transactionOutput(concat(low, littleEndian32(Math.floor(amount / 2 ** 32))), script)
}

const foreign: Omit<SpendInput, 'previous'> = {
  owner: undefined,
  isFinal: true,
  isSigned: false,
  hashType: 1,
  isProven: true,
}

/** The digest of the one input that is signed. */
function digestOf(unsigned: Uint8Array, inputs: SpendInput[]): string {
  const transaction = readTransaction(unsigned, false)
  const psbt = { version: 0, unsigned: transaction, global: [], inputs: [], outputs: [] } as const
  const [digest] = spendDigests({ psbt, transaction, inputs, owners: [], fee: 0n })
  return toHex(digest?.payload ?? new Uint8Array())
}

test('the digests of ALL and DEFAULT of the wallet vectors of BIP-341 are reproduced', () => {
  type Vectors = {
    keyPathSpending: {
      given: { rawUnsignedTx: string; utxosSpent: { scriptPubKey: string; amountSats: number }[] }
      inputSpending: {
        given: { txinIndex: number; hashType: number }
        intermediary: { sigHash: string }
      }[]
    }[]
  }
  const vectors = vectorJson<Vectors>('bitcoin/bip341_wallet-test-vectors.json')
  let reproduced = 0
  for (const { given, inputSpending } of vectors?.keyPathSpending ?? []) {
    for (const { given: input, intermediary } of inputSpending) {
      const { hashType } = input
      if (hashType !== 0 && hashType !== 1) continue
      const inputs = given.utxosSpent.map(({ scriptPubKey, amountSats }, index): SpendInput => {
        const previous = outputOf(amountSats, hex(scriptPubKey))
        if (index !== input.txinIndex) return { ...foreign, previous }
        return { ...foreign, previous, owner: 'p2tr', isFinal: false, isSigned: true, hashType }
      })
      expect(digestOf(hex(given.rawUnsignedTx), inputs)).toBe(intermediary.sigHash)
      reproduced++
    }
  }
  expect(reproduced > 1).toBe(vectors !== undefined)
})

test('the digest of the native P2WPKH example of BIP-143 is reproduced', () => {
  const text = vectorText('bitcoin/bip0143_vectors.mediawiki')?.replaceAll(/\s+/g, '')
  if (text === undefined) return
  const start = '0100000002fff7f7881a8099afa6940d42d1e7f6362bec38171ea3edf433541db4e4ad969f'
  const [unsigned = ''] = new RegExp(`${start}[0-9a-f]+`).exec(text) ?? []
  const own = { ...foreign, owner: 'p2wpkh', isFinal: false, isSigned: true } as const
  const inputs = [
    { ...foreign, previous: outputOf(625_000_000, Uint8Array.of(0x51)) },
    { ...own, previous: outputOf(600_000_000, hex('00141d0f172a0ecb48aee1be1f2687d2963ae33f71a1')) },
  ]
  expect(digestOf(hex(unsigned), inputs)).toBe(
    'c37af31116d1b27caf68aae9e3ac82f1477929014d5b917657d0eb49478cb670',
  )
})
