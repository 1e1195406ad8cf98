import { encodeTransaction } from '@near-js/transactions'
import { walletAddresses } from '@symbolon/networks/testing/by-intent'
import { aptosAccountAddress as accountAddress } from '@symbolon/networks/testing/internals'
import { testKey } from '@symbolon/networks/testing/oracle-signer'
import { aptosBytes, randomAptos } from '@symbolon/networks/testing/random-aptos.fuzz'
import { randomCosmos } from '@symbolon/networks/testing/random-cosmos.fuzz'
import { randomNearTransaction } from '@symbolon/networks/testing/random-near-transaction.fuzz'
import { randomSolanaTransaction } from '@symbolon/networks/testing/random-solana-transaction.fuzz'
import { randomStellar } from '@symbolon/networks/testing/random-stellar.fuzz'
import { randomTransaction } from '@symbolon/networks/testing/random-transaction.fuzz'
import { randomTron, tronBytes } from '@symbolon/networks/testing/random-tron.fuzz'
import { randomTypedData } from '@symbolon/networks/testing/random-typed-data.fuzz'
import { wireBytes } from '@symbolon/networks/testing/solana-transaction'
import { makePsbt } from '@symbolon/testing/enclave'
import fc from 'fast-check'
import { serializeTransaction } from 'viem'

type Request = Record<string, unknown>

/** The keys of which the samples are. */
export const sampleKeys = { secp256k1: testKey('secp256k1', 1), ed25519: testKey('ed25519', 1) }

const { secp256k1, ed25519 } = sampleKeys
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const addresses: Record<string, string> = {
  ...walletAddresses('secp256k1', secp256k1.publicKey),
  ...walletAddresses('ed25519', ed25519.publicKey),
}
const addressOn = (name: string) => addresses[name] ?? ''

/** A few of what an arbitrary makes, the same each time, as requests of one chain. */
function transactions<value>(
  chain: string,
  of: fc.Arbitrary<value>,
  write: (value: value) => string,
): Request[] {
  return fc
    .sample(of, { numRuns: 4, seed: 8 })
    .map((value) => ({ type: 'transaction', chain, transaction: write(value) }))
}

const inputs = (kinds: readonly ('p2wpkh' | 'p2tr')[]) =>
  kinds.map((kind) => ({ publicKey: secp256k1.publicKey, kind }))

/** Messages and transactions of all eight networks by the sample keys, and the other types of request. */
export const sampleRequests: readonly Request[] = [
  ...['ethereum', 'base', 'bitcoin', 'tron', 'cosmoshub', 'osmosis', 'solana', 'stellar'].map((chain) => ({
    type: 'message',
    message: 'Grüezi, wallet!',
    chain,
  })),
  { type: 'message', message: '0x00ff10', encoding: 'hex', chain: 'local', smart_account: true },
  {
    type: 'message',
    message: 'near',
    chain: 'near',
    nonce: base64(new Uint8Array(32).fill(3)),
    recipient: 'a.near',
  },
  { type: 'message', message: 'aptos', chain: 'aptos', nonce: 'n-1' },
  { type: 'message', message: 'raw bytes', chain: 'solana', scheme: 'raw' },
  { type: 'message', message: 'domain', chain: 'solana', application_domain: addressOn('solana') },
  ...fc.sample(randomTypedData, { numRuns: 4, seed: 2 }).map((typed_data) => ({
    type: 'typed_data',
    chain: 'base',
    typed_data: JSON.parse(JSON.stringify(typed_data)),
  })),
  { type: 'hash', hash: `0x${'5a'.repeat(32)}`, curve: 'secp256k1' },
  { type: 'user_operation', user_op_hash: `0x${'a5'.repeat(32)}`, chain: 'base' },
  { type: 'authorization', chain: 'base', contract: `0x${'22'.repeat(20)}`, nonce: '0x7' },
  {
    type: 'transaction',
    chain: 'base',
    transaction: {
      to: `0x${'11'.repeat(20)}`,
      value: '0xde0b6b3a7640000',
      nonce: '0x1',
      gas_limit: '0x5208',
      max_fee_per_gas: '0x77359400',
      max_priority_fee_per_gas: '0x1',
    },
  },
  ...transactions('base', randomTransaction(8453), (transaction) => serializeTransaction(transaction)),
  ...[inputs(['p2wpkh']), inputs(['p2tr']), inputs(['p2tr', 'p2wpkh', 'p2tr'])].map((spent) => ({
    type: 'transaction',
    chain: 'bitcoin',
    transaction: base64(makePsbt(spent)),
  })),
  ...transactions('tron', randomTron(addressOn('tron')), (transaction) => hex(tronBytes(transaction))),
  ...transactions(
    'cosmoshub',
    randomCosmos(secp256k1.publicKey, addressOn('cosmos'), 'cosmos', 'cosmoshub-4'),
    ({ bytes }) => base64(bytes),
  ),
  ...transactions('solana', randomSolanaTransaction, (transaction) => base64(wireBytes(transaction))),
  ...transactions('near', randomNearTransaction(ed25519.publicKey, [addressOn('near')]), (transaction) =>
    base64(encodeTransaction(transaction)),
  ),
  ...transactions('aptos', randomAptos(accountAddress(ed25519.publicKey), 1), (sample) =>
    base64(aptosBytes(sample)),
  ),
  ...transactions('stellar', randomStellar(addressOn('stellar')), (transaction) =>
    base64(Uint8Array.from(transaction.toEnvelope().toXDR())),
  ),
]
