import { secp256k1 } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import { keccak256, type TransactionSerializableEIP1559, toRlp } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { fromHex0x, type Hex, toHex0x } from '../codec/hex.ts'
import { decodeRlp, encodeRlp, type RlpItem } from '../codec/rlp.ts'
import { NetworkError } from '../network-error.ts'
import { testKey } from '../testing/oracle-signer.ts'
import { randomTransaction } from '../testing/random-transaction.fuzz.ts'
import { checksumAddress } from './address.ts'
import { decodeSignedTransaction, signedTransactionCost } from './signed-transaction.ts'

const account = privateKeyToAccount(toHex0x(testKey('secp256k1', 0).privateKey))
const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const bytesOf = (hex: Hex) => fromHex0x(hex) ?? new Uint8Array(0)
const transfer = {
  type: 'eip1559',
  chainId: 8453,
  nonce: 7,
  to,
  value: 10n ** 18n,
  data: '0x1234',
  gas: 21_000n,
  maxFeePerGas: 3n,
  maxPriorityFeePerGas: 2n,
} as const
const signed = bytesOf(await account.signTransaction(transfer))

/** The signed transfer with some of its 12 fields changed. */
function changed(fields: Readonly<Record<number, RlpItem>>, type = 2): Uint8Array {
  const items = decodeRlp(signed.subarray(1)) as RlpItem[]
  return Uint8Array.of(type, ...encodeRlp(items.map((item, index) => fields[index] ?? item)))
}

function refused(raw: Uint8Array): void {
  expect(() => decodeSignedTransaction(raw)).toThrow(expect.objectContaining({ code: 'invalid_payload' }))
}

describe('signed transaction', () => {
  test('costs its sender at most its value and its gas at the highest fee', () => {
    expect(signedTransactionCost(signed)).toBe(10n ** 18n + 21_000n * 3n)
    for (const raw of [new Uint8Array(0), signed.subarray(1), signed.subarray(0, -1), changed({}, 1)])
      expect(() => signedTransactionCost(raw)).toThrow(expect.objectContaining({ code: 'invalid_payload' }))
  })

  test('every field, the sender and the hash come out of it', () => {
    expect(decodeSignedTransaction(signed)).toEqual({
      type: 2,
      chainId: 8453,
      from: account.address,
      to,
      nonce: 7n,
      value: 10n ** 18n,
      data: '0x1234',
      gasLimit: 21_000n,
      maxFeePerGas: 3n,
      maxPriorityFeePerGas: 2n,
      hash: keccak256(signed),
    })
  })

  test('a transaction that viem signed decodes to the fields that were signed', async () => {
    const transactions = randomTransaction(1).filter(({ type }) => type === 'eip1559')
    await fc.assert(
      fc.asyncProperty(transactions, async (transaction) => {
        const given = transaction as TransactionSerializableEIP1559
        const raw = await account.signTransaction(given)
        expect(decodeSignedTransaction(bytesOf(raw))).toMatchObject({
          from: account.address,
          to: given.to == null ? null : checksumAddress(bytesOf(given.to)),
          nonce: BigInt(given.nonce ?? 0),
          value: given.value ?? 0n,
          gasLimit: given.gas ?? 0n,
          hash: keccak256(raw),
        })
      }),
      { numRuns: 60 },
    )
  })

  test('other types, unsigned ones and ones with a byte more or less are refused', async () => {
    const legacy = await account.signTransaction({
      to,
      gas: 21_000n,
      gasPrice: 1n,
      chainId: 1,
      type: 'legacy',
    })
    refused(bytesOf(legacy))
    refused(changed({}, 1))
    refused(changed({}, 4))
    refused(Uint8Array.of(2, ...encodeRlp((decodeRlp(signed.subarray(1)) as RlpItem[]).slice(0, 9))))
    refused(Uint8Array.of(...signed, 0))
    refused(signed.subarray(0, -1))
    refused(new Uint8Array(0))
    refused(Uint8Array.of(2))
    refused(bytesOf(`0x02${toRlp('0x1234').slice(2)}`))
  })

  test('the twin with high s is refused, though it recovers to the same sender', () => {
    const items = decodeRlp(signed.subarray(1)) as Uint8Array[]
    const s = secp256k1.Point.Fn.ORDER - BigInt(toHex0x(items[11] ?? signed))
    const flipped = items[9]?.length === 0 ? Uint8Array.of(1) : new Uint8Array(0)
    refused(changed({ 9: flipped, 11: bytesOf(`0x${s.toString(16).padStart(64, '0')}`) }))
  })

  test('signatures with y parity above 1, of zero, with leading zeros or of 33 bytes are refused', () => {
    const empty = new Uint8Array(0)
    refused(changed({ 9: Uint8Array.of(2) }))
    refused(changed({ 9: Uint8Array.of(27) }))
    refused(changed({ 10: empty }))
    refused(changed({ 11: empty }))
    refused(changed({ 10: Uint8Array.of(0, 1) }))
    refused(changed({ 10: new Uint8Array(33).fill(1) }))
    refused(changed({ 10: new Uint8Array(32).fill(0xff) }))
    refused(changed({ 11: [] }))
    refused(changed({ 0: Uint8Array.of(0x20, 0, 0, 0, 0, 0, 0) }))
  })

  test('mutated bytes are refused, or are another sender or hash', () => {
    fc.assert(
      fc.property(fc.nat(signed.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const raw = Uint8Array.from(signed)
        raw[at] = (raw[at] ?? 0) ^ flip
        try {
          const { from, hash } = decodeSignedTransaction(raw)
          expect(from).not.toBe(account.address)
          expect(hash).toBe(keccak256(raw))
        } catch (error) {
          expect(error).toBeInstanceOf(NetworkError)
        }
      }),
      { numRuns: 200 },
    )
  })
})
