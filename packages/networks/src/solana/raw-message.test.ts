import {
  AccountAddress,
  ChainId,
  EntryFunction,
  FeePayerRawTransaction,
  generateSigningMessageForTransaction,
  MultiAgentRawTransaction,
  RawTransaction,
  SimpleTransaction,
  TransactionPayloadEntryFunction,
  U64,
} from '@aptos-labs/ts-sdk'
import { base58 } from '@scure/base'
import {
  address,
  appendTransactionMessageInstruction,
  blockhash,
  compileTransaction,
  createTransactionMessage,
  getTransactionEncoder,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit'
import { Account, Asset, Networks, Operation, TransactionBuilder } from '@stellar/stellar-base'
import { shareRefreshDomain, shareRefreshStatement } from '@symbolon/crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { byteWriter } from '../codec/byte-writer.ts'
import { messageBytes } from '../intent/message-bytes.ts'
import { NetworkError } from '../network-error.ts'
import { assertNoTransaction, walletAddresses } from '../testing/by-intent.ts'
import { testKey } from '../testing/oracle-signer.ts'
import { vectorJson } from '../testing/vectors.ts'

const { publicKey } = testKey('ed25519', 1)
const other = testKey('ed25519', 2).publicKey

function refused(bytes: Uint8Array): void {
  expect(() => assertNoTransaction(bytes)).toThrow(expect.objectContaining({ code: 'invalid_payload' }))
}

function solanaTransaction(version: 0 | 'legacy') {
  const instruction = {
    programAddress: address('11111111111111111111111111111111'),
    accounts: [
      { address: address(base58.encode(publicKey)), role: 3 },
      { address: address(base58.encode(other)), role: 1 },
    ],
    data: Uint8Array.of(2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0),
  }
  const lifetime = {
    blockhash: blockhash(base58.encode(new Uint8Array(32).fill(9))),
    lastValidBlockHeight: 1n,
  }
  return compileTransaction(
    pipe(
      createTransactionMessage({ version }),
      (message) => setTransactionMessageFeePayer(address(base58.encode(publicKey)), message),
      (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
      (message) => appendTransactionMessageInstruction(instruction, message),
    ),
  )
}

function nearTransaction(version: 0 | 1): Uint8Array {
  const writer = byteWriter()
  if (version === 1) writer.u8(1)
  writer.sizedText('alice.near')
  writer.u8(0)
  writer.bytes(publicKey)
  writer.bytes(new Uint8Array(8).fill(1))
  writer.sizedText('bob.near')
  writer.bytes(other)
  writer.u32(1)
  writer.u8(3)
  writer.bytes(new Uint8Array(16))
  return writer.finish()
}

describe('raw messages', () => {
  test('a Solana message and transaction are refused, legacy and version 0, with and without a tail', () => {
    for (const version of ['legacy', 0] as const) {
      const transaction = solanaTransaction(version)
      const bytes = Uint8Array.from(getTransactionEncoder().encode(transaction))
      refused(Uint8Array.from(transaction.messageBytes))
      refused(bytes)
      refused(Uint8Array.of(...transaction.messageBytes, 1, 2, 3))
    }
    refused(Uint8Array.of(0x81, 1, 2, 3))
  })

  test('the wire transactions of web3.js are refused', () => {
    const vectors = vectorJson<Record<string, string>>('chains/solana_web3js_wire.json')
    const excerpts = Object.values(vectors ?? {}).filter((value) => typeof value === 'string')
    const found = excerpts.flatMap((text) =>
      [...text.matchAll(/'([A-Za-z0-9+/]{200,}={0,2})'/g)].map((match) => match[1] ?? ''),
    )
    for (const wire of found) refused(messageBytes(wire, 'base64'))
    expect(found.length > 0).toBe(vectors !== undefined)
  })

  test('a Near transaction is refused, both versions and as a delegate action', () => {
    refused(nearTransaction(0))
    refused(nearTransaction(1))
    refused(Uint8Array.of(0x6e, 1, 0, 0x40, ...nearTransaction(0)))
    type Vectors = { files: Record<string, { data: string }> }
    const files = vectorJson<Vectors>('chains/near_transactions.json')?.files ?? {}
    for (const name of ['signed_transaction1']) {
      const data = files[name]?.data
      if (data !== undefined) refused(messageBytes(`0x${data}`, 'hex'))
    }
  })

  test('an Aptos transaction is refused, bare and as its signing message', () => {
    const sender = AccountAddress.from(walletAddresses('ed25519', publicKey)['aptos'] ?? '')
    const call = EntryFunction.build(
      '0x1::aptos_account',
      'transfer',
      [],
      [AccountAddress.from('0x2'), new U64(1000n)],
    )
    const payload = new TransactionPayloadEntryFunction(call)
    const raw = new RawTransaction(sender, 5n, payload, 2000n, 100n, 1_764_000_000n, new ChainId(1))
    refused(raw.bcsToBytes())
    refused(generateSigningMessageForTransaction(new SimpleTransaction(raw)))
    refused(generateSigningMessageForTransaction(new SimpleTransaction(raw, sender)))
    // RawTransactionWithData: what a fee payer and further signers are sent.
    refused(new FeePayerRawTransaction(raw, [], sender).bcsToBytes())
    refused(new MultiAgentRawTransaction(raw, [AccountAddress.from('0x3')]).bcsToBytes())
  })

  test('a Stellar envelope is refused, v1, v0 and fee bump, and the payload that is hashed', () => {
    const source = walletAddresses('ed25519', publicKey)['stellar'] ?? ''
    const transaction = new TransactionBuilder(new Account(source, '100'), {
      fee: '100',
      networkPassphrase: Networks.PUBLIC,
    })
      .addOperation(Operation.payment({ destination: source, asset: Asset.native(), amount: '1.5' }))
      .setTimeout(0)
      .build()
    const envelope = Uint8Array.from(transaction.toEnvelope().toXDR())
    refused(envelope)
    refused(Uint8Array.from(transaction.signatureBase()))
    refused(Uint8Array.of(0, 0, 0, 0, ...envelope.subarray(8)))
    const bump = TransactionBuilder.buildFeeBumpTransaction(source, '200', transaction, Networks.PUBLIC)
    refused(Uint8Array.from(bump.toEnvelope().toXDR()))
    refused(Uint8Array.from(bump.signatureBase()))
  })

  test('32 bytes and nothing at all are refused', () => {
    refused(new Uint8Array(32).fill(0x61))
    refused(new Uint8Array(0))
  })

  test('a login message passes, and so does nearly every text', () => {
    assertNoTransaction(
      messageBytes('example.test wants you to sign in with your Solana account:\nabc', 'utf8'),
    )
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 400 }), (text) => {
        const bytes = messageBytes(text, 'utf8')
        if (bytes.length !== 32 && (bytes[0] ?? 0) >= 0x20) assertNoTransaction(bytes)
      }),
      { numRuns: 1000 },
    )
  })

  test('random bytes pass or are refused with NetworkError', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        try {
          assertNoTransaction(bytes)
        } catch (error) {
          expect(error).toBeInstanceOf(NetworkError)
        }
      }),
      { numRuns: 2000 },
    )
  })
})

test('a statement that replaces the shares of a wallet is not a message', () => {
  const share = new Uint8Array(33).fill(1)
  const statement = shareRefreshStatement({
    walletId: '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4051',
    polynomialVersion: 1,
    newProviderShare: share,
    newProviderShareIndex: 1,
    newRecoveryShare: share,
    newRecoveryShareIndex: 2,
  })
  refused(statement)
  refused(statement.subarray(0, shareRefreshDomain.length))
  expect(() => assertNoTransaction(statement.subarray(1))).not.toThrow()
})
