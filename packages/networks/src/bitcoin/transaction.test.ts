import { base64 } from '@scure/base'
import { Address, NETWORK, OutScript, SigHash, TEST_NETWORK, Transaction } from '@scure/btc-signer'
import { propertyRuns } from '@symbolon/testing/properties'
import { Transaction as BitcoinjsTransaction } from 'bitcoinjs-lib'
import { describe, expect, test } from 'vitest'
import { toHex, toHex0x } from '../codec/hex.ts'
import { preview, signingDigests } from '../testing/by-intent.ts'
import { signIntent } from '../testing/oracle-signer.ts'
import { type SamplePsbt, sampleKeys, samplePsbt, signAsOracle } from '../testing/random-psbt.fuzz.ts'
import { encodePsbt, readPsbt } from './psbt.ts'

const chainOf = (index: number) => (index % 2 === 0 ? 'bitcoin' : 'bitcoin-testnet')
const intentOf = (bytes: Uint8Array, chain = 'bitcoin') =>
  ({ kind: 'transaction', network: 'bitcoin', chain, bytes }) as const

/** The digests that bitcoinjs computes for the wallet's inputs. */
function theirDigests({ unsigned, inputs }: SamplePsbt, psbt: Transaction): string[] {
  const transaction = BitcoinjsTransaction.fromBuffer(unsigned)
  const scripts = inputs.map(({ script }) => script)
  const amounts = inputs.map(({ amount }) => amount)
  return inputs.flatMap(({ owner, kind, script, amount }, index) => {
    if (owner === 'other') return []
    const hashType = psbt.getInput(index).sighashType ?? (kind === 'p2tr' ? SigHash.DEFAULT : SigHash.ALL)
    const code = Uint8Array.of(0x76, 0xa9, 0x14, ...script.slice(2), 0x88, 0xac)
    const digest =
      kind === 'p2tr'
        ? transaction.hashForWitnessV1(index, scripts, amounts, hashType)
        : transaction.hashForWitnessV0(index, code, amount, hashType)
    return [toHex(digest)]
  })
}

describe('PSBTs of btc-signer', () => {
  const samples = Array.from({ length: propertyRuns(220) }, (_, index) => ({
    index,
    ...samplePsbt(index),
    ...sampleKeys(index),
  }))
  const shared = Array.from({ length: 25 }, (_, index) => ({
    index,
    ...samplePsbt(index, true),
    ...sampleKeys(index),
  }))

  test('are signed, finalized and identified as btc-signer does it, with the digests of bitcoinjs', () => {
    for (const sample of samples) {
      const { wallet, psbt, signed } = sample
      const { final, id } = signed()
      const intent = intentOf(psbt, chainOf(sample.index))
      const digests = signingDigests(intent, 'secp256k1', wallet.publicKey)
      expect(digests.map(({ payload }) => toHex(payload))).toEqual(
        theirDigests(sample, Transaction.fromPSBT(psbt)),
      )
      const { signed_transaction, transaction_hash, signature, encoding } = signIntent(intent, wallet)
      expect(signed_transaction).toBe(toHex0x(final))
      expect(transaction_hash).toBe(id)
      const [first] = BitcoinjsTransaction.fromBuffer(final).ins
      const items = first?.witness ?? []
      expect(signature).toBe(
        base64.encode(Uint8Array.of(items.length, ...items.flatMap((item) => [item.length, ...item]))),
      )
      expect(encoding).toBe('base64')
    }
  })

  test('decode to what leaves the wallet: every output but its own, and the fee', () => {
    for (const { index, wallet, ...sample } of samples) {
      const { publicKey } = wallet
      const chain = chainOf(index)
      const { actions, fee, from } = preview(intentOf(sample.psbt, chain), 'secp256k1', publicKey)
      const paid = sample.outputs.filter(({ isOwn }) => !isOwn)
      const addresses = Address(chain === 'bitcoin' ? NETWORK : TEST_NETWORK)
      expect(actions.map(({ kind, to, amount, asset }) => ({ kind, to, amount, asset }))).toEqual(
        paid.map(({ script, amount }) => ({
          kind: 'transfer',
          to: addresses.encode(OutScript.decode(script)),
          amount: String(amount),
          asset: 'BTC',
        })),
      )
      expect(fee).toEqual({ asset: 'BTC', amount: String(sample.fee) })
      expect(from.startsWith(chain === 'bitcoin' ? 'bc1q' : 'tb1q')).toBe(true)
    }
  })

  test('with inputs of others come back partly signed, and btc-signer completes them', () => {
    for (const { psbt, wallet, other, signed } of shared) {
      const answer = signIntent(intentOf(psbt), wallet)
      expect(answer.transaction_hash).toBeUndefined()
      const transaction = Transaction.fromPSBT(base64.decode(String(answer.signed_transaction)))
      signAsOracle(transaction, other)
      transaction.finalize()
      const { final, id } = signed()
      expect(toHex(transaction.extract())).toBe(toHex(final))
      expect(transaction.id).toBe(id)
    }
  })

  test('that others have finalized are completed', () => {
    for (const { psbt, inputs, wallet, other, signed } of shared) {
      const transaction = Transaction.fromPSBT(psbt)
      signAsOracle(transaction, other)
      for (const [at, { owner }] of inputs.entries()) if (owner === 'other') transaction.finalizeIdx(at)
      const answer = signIntent(intentOf(transaction.toPSBT()), wallet)
      const { final, id } = signed()
      expect(answer.signed_transaction).toBe(toHex0x(final))
      expect(answer.transaction_hash).toBe(id)
    }
  })

  test('are written back as they were read', () => {
    for (const { psbt } of [...samples, ...shared]) {
      expect(toHex(encodePsbt(readPsbt(psbt)))).toBe(toHex(psbt))
    }
  })
})
