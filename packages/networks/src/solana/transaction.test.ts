import { ed25519 } from '@noble/curves/ed25519.js'
import { base58, base64 } from '@scure/base'
import {
  createKeyPairFromPrivateKeyBytes,
  createNoopSigner,
  type Instruction,
  partiallySignTransaction,
} from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'
import { propertyRuns } from '@symbolon/testing/properties'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toHex0x } from '../codec/hex.ts'
import { messageBytes } from '../intent/message-bytes.ts'
import { NetworkError } from '../network-error.ts'
import { assembleAnswer, assertNoTransaction, preview, signingDigest } from '../testing/by-intent.ts'
import { signIntent, testKey } from '../testing/oracle-signer.ts'
import { randomSolanaTransaction } from '../testing/random-solana-transaction.fuzz.ts'
import { kitTransaction, solanaAddress, wireBytes } from '../testing/solana-transaction.ts'
import { vectorJson } from '../testing/vectors.ts'
import { solanaRounds } from './solana-rounds.fuzz.ts'

const key = testKey('ed25519', 1)
const wallet = createNoopSigner(solanaAddress(1))
const intentOf = (bytes: Uint8Array) =>
  ({ kind: 'transaction', network: 'solana', chain: 'solana', bytes }) as const
const shown = (bytes: Uint8Array) => preview(intentOf(bytes), 'ed25519', key.publicKey)
const transfer = (source = wallet, destination = solanaAddress(4)) =>
  getTransferSolInstruction({ source, destination, amount: 5n })

describe('solana transactions beside kit', () => {
  test('transactions have its payload, signed bytes and id, bare and with slots', async () => {
    const { privateKey } = key
    const keyPair = await createKeyPairFromPrivateKeyBytes(privateKey)
    await fc.assert(
      fc.asyncProperty(randomSolanaTransaction, async (transaction) => {
        const official = await partiallySignTransaction([keyPair], transaction)
        const signature = official.signatures[solanaAddress(1)] ?? new Uint8Array(0)
        const wire = wireBytes(transaction)
        const bare = Uint8Array.from(transaction.messageBytes)
        const answer = signIntent(intentOf(wire), key)
        expect(answer.signature).toBe(toHex0x(signature))
        expect(answer.signature_base58).toBe(base58.encode(signature))
        expect(answer.signed_transaction).toBe(base64.encode(wireBytes(official)))
        const missing = Object.values(official.signatures).some((slot) => slot === null)
        expect(answer.transaction_hash).toBe(missing ? undefined : base58.encode(signature))
        expect(shown(wire)).toEqual(shown(bare))
        expect(shown(wire).from).toBe(wallet.address)
        expect(toHex0x(signingDigest(intentOf(bare), 'ed25519', key.publicKey))).toBe(toHex0x(bare))
        const alike = assembleAnswer(intentOf(bare), 'ed25519', key.publicKey, [{ signature, recovery: 0 }])
        expect(alike).toEqual(answer)
        for (const bytes of [wire, bare]) expect(() => assertNoTransaction(bytes)).toThrow(NetworkError)
      }),
      { numRuns: propertyRuns(250), seed: 6 },
    )
  })

  test('the wire transactions of web3.js are read as it reads them', () => {
    type Vectors = Record<string, string>
    const excerpt = vectorJson<Vectors>('chains/solana_web3js_wire.json')?.['wire_test_source_excerpt']
    if (excerpt === undefined) return
    const wire = /'([A-Za-z0-9+/]{200,}={0,2})'/.exec(excerpt)?.[1] ?? ''
    const bytes = messageBytes(wire, 'base64')
    const sender = { privateKey: new Uint8Array(32).fill(8) }
    const publicKey = ed25519.getPublicKey(sender.privateKey)
    expect(preview(intentOf(bytes), 'ed25519', publicKey)).toMatchObject({
      title: 'Send 0.000000049 SOL',
      actions: [{ kind: 'transfer', to: 'J3dxNj7nDRRqRRXuEMynDG57DkZK4jYRuv3Garmb1i99', amount: '49' }],
      fee: { amount: '5000' },
    })
    const answer = signIntent(intentOf(bytes), { curve: 'ed25519', ...sender, publicKey })
    expect(answer.signed_transaction).toBe(wire)
  })

  test('mutated transactions are refused with NetworkError or written again by kit', () => {
    solanaRounds(propertyRuns(2000))
  })
})

describe('solana signatures of others', () => {
  const other = testKey('ed25519', 2)
  const transaction = kitTransaction([transfer()], solanaAddress(2))

  test('stay, and the id is that of the fee payer', async () => {
    const theirs = await createKeyPairFromPrivateKeyBytes(other.privateKey)
    const partly = await partiallySignTransaction([theirs], transaction)
    const answer = signIntent(intentOf(wireBytes(partly)), key)
    const whole = await partiallySignTransaction(
      [await createKeyPairFromPrivateKeyBytes(key.privateKey)],
      partly,
    )
    expect(answer.signed_transaction).toBe(base64.encode(wireBytes(whole)))
    expect(answer.transaction_hash).toBe(
      base58.encode(partly.signatures[solanaAddress(2)] ?? new Uint8Array(0)),
    )
  })

  test('that miss leave the transaction partly signed, without an id', () => {
    const answer = signIntent(intentOf(wireBytes(transaction)), key)
    const signed = base64.decode(String(answer.signed_transaction))
    expect(signed.subarray(1, 65).every((byte) => byte === 0)).toBe(true)
    expect(toHex0x(signed.subarray(65, 129))).toBe(answer.signature)
    expect(answer).not.toHaveProperty('transaction_hash')
  })

  test('pay the fee, so that the wallet pays none', () => {
    expect(shown(wireBytes(transaction)).fee).toEqual({ asset: 'SOL', amount: '0' })
  })
})

describe('solana refuses', () => {
  const refuse = (bytes: Uint8Array) =>
    expect(() => shown(bytes)).toThrow(expect.objectContaining({ code: 'invalid_payload' }))
  const transaction = kitTransaction([transfer()], wallet.address, { version: 'legacy' })
  const wire = wireBytes(transaction)
  const bare = Uint8Array.from(transaction.messageBytes)
  const changed = (bytes: Uint8Array, at: number, byte: number) => {
    const copy = Uint8Array.from(bytes)
    copy[at] = byte
    return copy
  }

  test('a message that the wallet need not sign', () => {
    refuse(wireBytes(kitTransaction([transfer(createNoopSigner(solanaAddress(2)))], solanaAddress(2))))
    const foreign = testKey('ed25519', 7).publicKey
    expect(() => preview(intentOf(wire), 'ed25519', foreign)).toThrow(NetworkError)
    // An account of the message that does not sign.
    const recipient = testKey('ed25519', 4).publicKey
    expect(() => preview(intentOf(wire), 'ed25519', recipient)).toThrow(NetworkError)
  })

  test('trailing bytes, a cut, too few slots or too many', () => {
    for (const bytes of [wire, bare]) {
      refuse(Uint8Array.of(...bytes, 0))
      refuse(bytes.subarray(0, -1))
    }
    refuse(Uint8Array.of(0, ...bare))
    refuse(Uint8Array.of(2, ...new Uint8Array(128), ...bare))
    refuse(new Uint8Array(0))
  })

  test('another version, a header that contradicts itself, an account that stands twice', () => {
    refuse(Uint8Array.of(0x81, ...bare))
    refuse(changed(bare, 0, 0))
    refuse(changed(bare, 1, 1))
    refuse(changed(bare, 2, 3))
    const twice = Uint8Array.from(bare)
    twice.copyWithin(4 + 32, 4, 4 + 32)
    refuse(twice)
  })

  test('an account that is not there, the fee payer as a program, an unused table', () => {
    const program = 4 + 3 * 32 + 32 + 1
    refuse(changed(bare, program, 3))
    refuse(changed(bare, program, 0))
    refuse(changed(bare, program + 2, 3))
    const versioned = kitTransaction([transfer()], wallet.address).messageBytes
    refuse(Uint8Array.of(...versioned.slice(0, -1), 1, ...new Uint8Array(34)))
  })

  test('a length that is not in its fewest bytes', () => {
    refuse(Uint8Array.of(...bare.subarray(0, 3), 0x83, 0, ...bare.subarray(4)))
    refuse(Uint8Array.of(0x81, 0, ...wire.subarray(1)))
  })

  test('more than a packet holds', () => {
    const data = new Uint8Array(1100)
    const memo: Instruction = { programAddress: solanaAddress(5), data }
    refuse(wireBytes(kitTransaction([memo], wallet.address)))
  })

  test('bytes that are a bare message and a transaction at once', () => {
    // 187 bytes of data make the transaction as long as a bare message of 10 accounts and no instruction.
    const data = Uint8Array.from({ length: 187 }, (_, index) => (index + 1) % 187)
    const memo: Instruction = { programAddress: solanaAddress(5), data }
    const inner = kitTransaction([memo], wallet.address, { version: 'legacy' }).messageBytes
    const slot = Uint8Array.of(0, 0, 10, ...key.publicKey, ...new Uint8Array(29))
    const both = Uint8Array.of(1, ...slot, ...inner)
    refuse(both)
    // Either alone is fine.
    shown(Uint8Array.of(1, ...slot.fill(0, 0, 3), ...inner))
    shown(Uint8Array.of(...both.subarray(0, -1), 0).fill(9, 68, 69))
  })
})
