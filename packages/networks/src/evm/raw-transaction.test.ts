import { secp256k1 } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import {
  keccak256,
  parseTransaction,
  recoverTransactionAddress,
  serializeTransaction,
  type TransactionSerializable,
} from 'viem'
import { describe, expect, test } from 'vitest'
import { toHex0x } from '../codec/hex.ts'
import { bytesToQuantity } from '../codec/quantity.ts'
import { decodeRlp, type RlpItem } from '../codec/rlp.ts'
import { messageBytes } from '../intent/message-bytes.ts'
import { NetworkError } from '../network-error.ts'
import { byBytes, chainByHandle, signingDigest } from '../testing/by-intent.ts'
import { signIntent, testKey } from '../testing/oracle-signer.ts'
import { randomTransaction } from '../testing/random-transaction.fuzz.ts'
import { withoutSignature } from '../testing/signed-transaction.ts'
import { vectorJson, vectorText } from '../testing/vectors.ts'
import { decodeEvmTransaction, encodeEvmTransaction } from './raw-transaction.ts'
import { evmTransaction } from './transaction.ts'

const base = chainByHandle('base')
if (!base) throw new Error('base is a chain')
const key = testKey('secp256k1', 7)
const bytesOf = (transaction: TransactionSerializable) =>
  messageBytes(serializeTransaction(transaction), 'hex')
const intentOf = (bytes: Uint8Array, chain = 'base') =>
  ({ kind: 'transaction', network: 'evm', chain, bytes }) as const
const sample = {
  type: 'eip1559',
  chainId: 8453,
  nonce: 1,
  gas: 21_000n,
  maxFeePerGas: 9n,
  to: `0x${'11'.repeat(20)}`,
} as const

function refused(bytes: Uint8Array): void {
  expect(() => signingDigest(intentOf(bytes), 'secp256k1', key.publicKey)).toThrow(
    expect.objectContaining({ code: 'invalid_payload' }),
  )
}

describe('evm transactions', () => {
  test('the digest is keccak of what viem serializes, and the signed form and its hash are those of viem', () => {
    fc.assert(
      fc.property(randomTransaction(8453), (transaction) => {
        const unsigned = serializeTransaction(transaction)
        const intent = intentOf(messageBytes(unsigned, 'hex'))
        expect(toHex0x(signingDigest(intent, 'secp256k1', key.publicKey))).toBe(keccak256(unsigned))
        const { r, s, y_parity, v, signed_transaction, transaction_hash } = signIntent(intent, key)
        const signature = { r: r as `0x${string}`, s: s as `0x${string}`, yParity: y_parity ?? 9 }
        const legacyV = transaction.type === 'legacy' ? { v: BigInt(v ?? 0) } : {}
        const expected = serializeTransaction(transaction, { ...signature, ...legacyV })
        expect(signed_transaction).toBe(expected)
        expect(transaction_hash).toBe(keccak256(expected))
      }),
      { numRuns: 300 },
    )
  })

  test('viem recovers the wallet as the sender of a signed transaction', async () => {
    for (const transaction of fc.sample(randomTransaction(8453), 30)) {
      const { signed_transaction, address, signature, y_parity } = signIntent(
        intentOf(bytesOf(transaction)),
        key,
      )
      const serializedTransaction = signed_transaction as `0x02${string}`
      expect(await recoverTransactionAddress({ serializedTransaction })).toBe(address)
      expect(Number.parseInt(signature.slice(-2), 16)).toBe(y_parity)
    }
  })

  test('a decoded transaction encodes to the same bytes, with the fields that viem reads', () => {
    fc.assert(
      fc.property(randomTransaction(8453), (transaction) => {
        const bytes = bytesOf(transaction)
        const decoded = decodeEvmTransaction(bytes, base)
        const parsed = parseTransaction(serializeTransaction(transaction))
        expect(decoded.value).toBe(parsed.value ?? 0n)
        expect(decoded.gasLimit).toBe(parsed.gas ?? 0n)
        expect(Number(decoded.nonce)).toBe(parsed.nonce ?? 0)
        expect(toHex0x(decoded.data)).toBe(parsed.data ?? '0x')
        if (decoded.type !== 'legacy') {
          expect(toHex0x(encodeEvmTransaction(decoded.type, decoded.fields))).toBe(toHex0x(bytes))
        }
      }),
      { numRuns: 200 },
    )
  })

  test('mutated bytes are refused with NetworkError, or are another transaction of this chain', () => {
    const mutated = fc
      .tuple(randomTransaction(8453), fc.nat(), fc.nat(255))
      .map(([transaction, at, byte]) => {
        const bytes = Uint8Array.from(bytesOf(transaction))
        bytes[at % bytes.length] = byte
        return bytes
      })
    fc.assert(
      fc.property(mutated, (bytes) => {
        try {
          expect(decodeEvmTransaction(bytes, base).chainId).toBe(8453n)
        } catch (error) {
          expect(error).toBeInstanceOf(NetworkError)
        }
      }),
      { numRuns: 2000 },
    )
  })

  test('another chain, trailing bytes, a signed, a blob and an unprotected transaction are refused', () => {
    const bytes = bytesOf(sample)
    signingDigest(intentOf(bytes), 'secp256k1', key.publicKey)
    refused(bytesOf({ ...sample, chainId: 1 }))
    refused(Uint8Array.of(...bytes, 0))
    refused(messageBytes(String(signIntent(intentOf(bytes), key).signed_transaction), 'hex'))
    refused(Uint8Array.of(3, ...bytes.subarray(1)))
    refused(bytesOf({ type: 'legacy', nonce: 1, gas: 21_000n, gasPrice: 1n, to: sample.to }))
    refused(new Uint8Array(0))
    refused(Uint8Array.of(0x80))
  })

  test('numbers with leading zeros or out of range, short addresses and inverted fees are refused', () => {
    const one = Uint8Array.of(1)
    const empty = new Uint8Array(0)
    const to = new Uint8Array(20).fill(1)
    const id = Uint8Array.of(0x21, 0x05)
    const good: RlpItem[] = [id, one, one, one, one, to, empty, empty, []]
    const withField = (index: number, value: RlpItem) =>
      encodeEvmTransaction('eip1559', good.with(index, value))
    signingDigest(intentOf(withField(1, one)), 'secp256k1', key.publicKey)
    for (const index of [0, 1, 2, 3, 4, 6]) refused(withField(index, Uint8Array.of(0, 1)))
    refused(withField(1, new Uint8Array(8).fill(0xff)))
    refused(withField(2, Uint8Array.of(2)))
    refused(withField(4, new Uint8Array(9).fill(1)))
    refused(withField(5, new Uint8Array(19).fill(1)))
    refused(withField(6, new Uint8Array(33).fill(1)))
    refused(withField(8, empty))
    refused(withField(8, [to]))
    refused(
      encodeEvmTransaction('eip1559', good.with(3, new Uint8Array(32).fill(0xff)).with(4, Uint8Array.of(2))),
    )
  })

  test('the transaction tests of Ethereum decode, or are refused where their unsigned part is at fault', () => {
    type Case = { txbytes: string; result: Record<string, { exception?: string }> }
    const cases = vectorJson<Record<string, Case>>('ethereum/transactiontests_a.json')
    /** Faults of the signature, the chain or the price of gas, which unsigned bytes do not have. */
    const elsewhere = /INTRINSIC_GAS|INVALID_CHAINID|SIGNATURE_VRS|EC_RECOVERY|LEADING_ZEROS_[VRS]$/
    let refusals = 0
    for (const { txbytes, result } of Object.values(cases ?? {})) {
      const fault = (result['Cancun'] ?? result['London'])?.exception ?? ''
      if (elsewhere.test(fault)) continue
      const decode = () => {
        const unsigned = withoutSignature(messageBytes(txbytes, 'hex'), Uint8Array.of(1))
        return decodeEvmTransaction(unsigned, { ...base, chainId: 1 })
      }
      if (fault === '') expect(decode().chainId).toBe(1n)
      else {
        expect(decode).toThrow(NetworkError)
        refusals++
      }
    }
    expect(refusals > 20).toBe(cases !== undefined)
  })

  test('the examples of EIP-155 and of the old transaction test are reproduced', () => {
    const text = vectorText('ethereum/eip-155.md')
    if (text === undefined) return
    const signed = /0x(f86c098504a817c8[0-9a-f]+)/.exec(text)?.[0] ?? ''
    const privateKey = new Uint8Array(32).fill(0x46)
    const signer = {
      curve: 'secp256k1',
      privateKey,
      publicKey: secp256k1.getPublicKey(privateKey, true),
    } as const
    const unsigned = withoutSignature(messageBytes(signed, 'hex'), Uint8Array.of(1))
    expect(signIntent(intentOf(unsigned, 'ethereum'), signer)).toMatchObject({
      signed_transaction: signed,
      v: 37,
    })
    for (const old of vectorJson<{ unsigned: string }[]>('ethereum/txtest.json') ?? []) {
      refused(messageBytes(`0x${old.unsigned}`, 'hex'))
    }
  })

  test('transactions of ethers sign to the bytes of ethers', () => {
    type Case = { transaction: { chainId: string }; privateKey: string } & Record<string, string>
    const cases = vectorJson<Case[]>('ethereum/ethers_transactions_a.json')
    let reproduced = 0
    for (const vector of cases ?? []) {
      const privateKey = messageBytes(vector.privateKey, 'hex')
      const publicKey = secp256k1.getPublicKey(privateKey, true)
      const chain = { ...base, chainId: Number(vector.transaction.chainId) }
      const scope = { chain, publicKey, address: '' }
      for (const kind of ['Eip155', 'Berlin', 'London'] as const) {
        const unsigned = vector[`unsigned${kind}`] ?? ''
        if (!(chain.chainId > 0) || isInverted(unsigned)) continue
        const bytes = messageBytes(unsigned, 'hex')
        const digest = byBytes(evmTransaction).digest(bytes, scope)
        const signed = secp256k1.sign(digest, privateKey, { prehash: false, format: 'recovered' })
        const raw = { signature: signed.subarray(1), recovery: signed[0] ?? 9 }
        const answer = byBytes(evmTransaction).assemble(bytes, scope, [raw])
        expect(answer.signed_transaction).toBe(vector[`signed${kind}`])
        reproduced++
      }
    }
    expect(reproduced > 200).toBe(cases !== undefined)
  })
})

/** ethers signs what no node takes: a priority fee above the maximum fee. */
function isInverted(unsigned: string): boolean {
  if (!unsigned.startsWith('0x02')) return false
  const items = decodeRlp(messageBytes(`0x${unsigned.slice(4)}`, 'hex'))
  const [priorityFee, maxFee] = [items[2], items[3]]
  if (!(priorityFee instanceof Uint8Array && maxFee instanceof Uint8Array)) return false
  return bytesToQuantity(priorityFee) > bytesToQuantity(maxFee)
}
