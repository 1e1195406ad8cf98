import { propertyRuns } from '@symbolon/testing/properties'
import fc from 'fast-check'
import {
  encodeFunctionData,
  erc20Abi,
  keccak256,
  parseTransaction,
  serializeTransaction,
  type TransactionSerializable,
} from 'viem'
import { describe, expect, test } from 'vitest'
import { toHex0x } from '../codec/hex.ts'
import { decodeRlp, type RlpItem } from '../codec/rlp.ts'
import { messageBytes } from '../intent/message-bytes.ts'
import { NetworkError } from '../network-error.ts'
import { chainByHandle, preview, signingDigest } from '../testing/by-intent.ts'
import { mutated } from '../testing/mutated.fuzz.ts'
import { signIntent, testKey } from '../testing/oracle-signer.ts'
import { randomBlobTransaction, randomDelegation } from '../testing/random-transaction.fuzz.ts'
import { decodeEvmTransaction, type EvmTransactionType, encodeEvmTransaction } from './raw-transaction.ts'

const base = chainByHandle('base')
if (!base) throw new Error('base is a chain')
const key = testKey('secp256k1', 7)
const bytesOf = (transaction: TransactionSerializable) =>
  messageBytes(serializeTransaction(transaction), 'hex')
const intentOf = (bytes: Uint8Array) =>
  ({ kind: 'transaction', network: 'evm', chain: 'base', bytes }) as const
const to = `0x${'11'.repeat(20)}` as const
const delegate = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const word = `0x${'22'.repeat(32)}` as const
const call = { chainId: 8453, nonce: 1, gas: 30_000n, maxFeePerGas: 9n, to } as const
const authorization = { address: delegate, chainId: 0, nonce: 2, yParity: 1, r: word, s: word } as const
const blob = {
  ...call,
  type: 'eip4844',
  maxFeePerBlobGas: 5n,
  blobVersionedHashes: [`0x01${'ab'.repeat(31)}`],
}
const delegation = { ...call, type: 'eip7702', authorizationList: [authorization] }
const blobBytes = bytesOf(blob as TransactionSerializable)
const delegationBytes = bytesOf(delegation as TransactionSerializable)

function withField(bytes: Uint8Array, index: number, value: RlpItem): Uint8Array {
  const items = decodeRlp(bytes.subarray(1))
  if (items instanceof Uint8Array) throw new Error('a transaction is a list')
  const type: EvmTransactionType = bytes[0] === 3 ? 'eip4844' : 'eip7702'
  return encodeEvmTransaction(type, items.with(index, value))
}

function refused(bytes: Uint8Array): void {
  expect(() => signingDigest(intentOf(bytes), 'secp256k1', key.publicKey)).toThrow(
    expect.objectContaining({ code: 'invalid_payload' }),
  )
}

describe.each([
  { name: 'blobs', random: randomBlobTransaction(8453) },
  { name: 'authorizations', random: randomDelegation(8453) },
])('transactions with $name', ({ random }) => {
  test('have the hash, the signed form and the id that viem gives them', () => {
    fc.assert(
      fc.property(random, (transaction) => {
        const unsigned = serializeTransaction(transaction)
        const intent = intentOf(messageBytes(unsigned, 'hex'))
        expect(toHex0x(signingDigest(intent, 'secp256k1', key.publicKey))).toBe(keccak256(unsigned))
        const { r, s, y_parity, signed_transaction, transaction_hash } = signIntent(intent, key)
        const signature = { r: r as `0x${string}`, s: s as `0x${string}`, yParity: y_parity ?? 9 }
        const expected = serializeTransaction(transaction, signature)
        expect(signed_transaction).toBe(expected)
        expect(transaction_hash).toBe(keccak256(expected))
        const decoded = decodeEvmTransaction(intent.bytes, base)
        const parsed = parseTransaction(unsigned)
        expect(decoded.value).toBe(parsed.value ?? 0n)
        expect(Number(decoded.nonce)).toBe(parsed.nonce ?? 0)
        expect(toHex0x(encodeEvmTransaction(decoded.type, decoded.fields))).toBe(unsigned)
      }),
      { numRuns: 200, seed: 4 },
    )
  })

  test('are refused with NetworkError when mutated, or encode back and have a preview', () => {
    fc.assert(
      fc.property(mutated(random.map(bytesOf)), (bytes) => {
        try {
          const { type, fields } = decodeEvmTransaction(bytes, base)
          if (type !== 'legacy') expect(encodeEvmTransaction(type, fields)).toEqual(bytes)
          preview(intentOf(bytes), 'secp256k1', key.publicKey)
        } catch (error) {
          expect(error).toBeInstanceOf(NetworkError)
        }
      }),
      { numRuns: propertyRuns(2000), seed: 4 },
    )
  })
})

describe('a transaction with blobs', () => {
  test('its fee in the worst case is that of gas and of every blob', () => {
    const blobVersionedHashes = [1, 2].map((byte) => `0x010${byte}${'ab'.repeat(30)}` as const)
    const bytes = bytesOf({ ...blob, blobVersionedHashes } as TransactionSerializable)
    const { fee } = preview(intentOf(bytes), 'secp256k1', key.publicKey)
    expect(fee?.amount).toBe(String(30_000n * 9n + 2n * 131_072n * 5n))
  })

  test('needs a recipient and 1 to 9 hashes of version 1, of 32 bytes each', () => {
    const hash = Uint8Array.of(1, ...new Uint8Array(31))
    signingDigest(
      intentOf(
        withField(
          blobBytes,
          10,
          Array.from({ length: 9 }, () => hash),
        ),
      ),
      'secp256k1',
      key.publicKey,
    )
    for (const hashes of [
      [],
      Array.from({ length: 10 }, () => hash),
      [hash.subarray(1)],
      [hash.with(0, 2)],
    ]) {
      refused(withField(blobBytes, 10, hashes))
    }
    refused(withField(blobBytes, 10, [[hash]]))
    refused(withField(blobBytes, 5, new Uint8Array(0)))
    refused(withField(blobBytes, 9, new Uint8Array(32).fill(0xff)))
    refused(Uint8Array.of(...blobBytes, 0))
  })
})

describe('a transaction with authorizations', () => {
  test('each is an account takeover that names the delegate, and the call is decoded too', () => {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [delegate, 5n] })
    const bytes = bytesOf({ ...delegation, data } as TransactionSerializable)
    const { actions, warnings } = preview(intentOf(bytes), 'secp256k1', key.publicKey)
    expect(actions).toMatchObject([
      {
        kind: 'admin',
        to: delegate,
        method: 'authorization',
        args: { authority: 'unknown', chain_id: '0', nonce: '2' },
      },
      { kind: 'transfer', to: delegate, amount: '5' },
    ])
    expect(warnings).toEqual([
      `Account takeover: the code of ${delegate} will control whichever account signed this authorization, on every chain.`,
    ])
  })

  test('needs a recipient, 1 to 50 authorizations, and six fields within their bounds in each', () => {
    const one = Uint8Array.of(1)
    const address = new Uint8Array(20).fill(7)
    const entry: RlpItem[] = [one, address, one, one, one, one]
    signingDigest(intentOf(withField(delegationBytes, 9, [entry])), 'secp256k1', key.publicKey)
    const many = Array.from({ length: 51 }, () => entry)
    signingDigest(intentOf(withField(delegationBytes, 9, many.slice(1))), 'secp256k1', key.publicKey)
    const long = new Uint8Array(9).fill(1)
    for (const list of [
      [],
      many,
      [address],
      [entry.slice(1)],
      [[...entry, one]],
      [entry.with(1, address.subarray(1))],
      [entry.with(2, long)],
      [entry.with(3, Uint8Array.of(1, 0))],
      [entry.with(4, Uint8Array.of(0, 1))],
      [entry.with(5, new Uint8Array(33).fill(1))],
    ]) {
      refused(withField(delegationBytes, 9, list))
    }
    refused(withField(delegationBytes, 5, new Uint8Array(0)))
  })
})
