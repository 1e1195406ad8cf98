import {
  Deserializer,
  generateSigningMessageForTransaction,
  RawTransaction,
  RawTransactionWithData,
} from '@aptos-labs/ts-sdk'
import { decodeTransaction, encodeTransaction } from '@near-js/transactions'
import { sha256 } from '@noble/hashes/sha2.js'
import {
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type ReadonlyUint8Array,
} from '@solana/kit'
import { parseSystemInstruction, SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system'
import { parseTokenInstruction, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import { Keypair, Networks, TransactionBuilder, xdr } from '@stellar/stellar-base'
import {
  aptosAccountAddress as accountAddress,
  aptosTransaction,
  nearTransaction,
  solanaTransaction,
  stellarTransaction,
  toHex,
} from '@symbolon/networks/testing/internals'
import { testKey } from '@symbolon/networks/testing/oracle-signer'
import { type AptosSample, aptosBytes, randomAptos } from '@symbolon/networks/testing/random-aptos.fuzz'
import { randomNearTransaction } from '@symbolon/networks/testing/random-near-transaction.fuzz'
import { randomSolanaTransaction } from '@symbolon/networks/testing/random-solana-transaction.fuzz'
import { randomStellar } from '@symbolon/networks/testing/random-stellar.fuzz'
import { wireBytes } from '@symbolon/networks/testing/solana-transaction'
import fc from 'fast-check'
import { type Contest, decodeAndDigest, samplesCount, type Turn } from './turns.ts'

const key = testKey('ed25519', 1)
const drawn = { numRuns: samplesCount, seed: 4 }

/** Solana, Near, Aptos and Stellar beside the libraries of their makers. */
export function ed25519Contests(): Contest[] {
  return [
    { network: 'solana', library: '@solana/kit', turns: solanaTurns() },
    { network: 'near', library: '@near-js/transactions', turns: nearTurns() },
    { network: 'aptos', library: '@aptos-labs/ts-sdk', turns: aptosTurns() },
    { network: 'stellar', library: '@stellar/stellar-base', turns: stellarTurns() },
  ]
}

function solanaTurns(): Turn[] {
  return fc.sample(randomSolanaTransaction, drawn).map((transaction) => {
    const bytes = wireBytes(transaction)
    return {
      ours: decodeAndDigest(solanaTransaction, 'solana', bytes, key),
      theirs: () => readSolana(bytes),
    }
  })
}

/** The instructions of the two programs that move funds are read as well, the payload is the message. */
function readSolana(bytes: Uint8Array): unknown {
  const { messageBytes } = getTransactionDecoder().decode(bytes)
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes)
  if (!('instructions' in message)) throw new Error('the message has no instructions')
  const parsed = message.instructions.map(({ programAddressIndex, accountIndices = [], data = empty }) => {
    const programAddress = message.staticAccounts[programAddressIndex]
    const accounts = accountIndices.map((index) => ({ address: message.staticAccounts[index], role: 0 }))
    const instruction = { programAddress, accounts, data } as never
    if (programAddress === SYSTEM_PROGRAM_ADDRESS) return parseSystemInstruction(instruction)
    if (programAddress === TOKEN_PROGRAM_ADDRESS) return parseTokenInstruction(instruction)
    return instruction
  })
  return [parsed, messageBytes]
}

const empty: ReadonlyUint8Array = new Uint8Array(0)

function nearTurns(): Turn[] {
  const own = toHex(key.publicKey)
  return fc.sample(randomNearTransaction(key.publicKey, [own, 'alice.near']), drawn).map((transaction) => {
    const bytes = encodeTransaction(transaction)
    return {
      ours: decodeAndDigest(nearTransaction, 'near', bytes, key),
      theirs: () => readNear(bytes),
    }
  })
}

/** The keys are shown as text. */
function readNear(bytes: Uint8Array): unknown {
  const read = decodeTransaction(bytes)
  const keys = read.actions.map(({ addKey, deleteKey, stake }) =>
    (addKey ?? deleteKey ?? stake)?.publicKey.toString(),
  )
  return [read, keys, sha256(bytes)]
}

function aptosTurns(): Turn[] {
  return fc.sample(randomAptos(accountAddress(key.publicKey), 1), drawn).map((sample) => {
    const bytes = aptosBytes(sample)
    return {
      ours: decodeAndDigest(aptosTransaction, 'aptos', bytes, key),
      theirs: () => readAptos(bytes, sample),
    }
  })
}

function readAptos(bytes: Uint8Array, { secondarySignerAddresses, feePayerAddress }: AptosSample): unknown {
  const deserializer = new Deserializer(bytes)
  const isAlone = secondarySignerAddresses === undefined && feePayerAddress === undefined
  const read = isAlone
    ? { rawTransaction: RawTransaction.deserialize(deserializer) }
    : (RawTransactionWithData.deserialize(deserializer) as unknown as Record<string, never>)
  const given = {
    rawTransaction: 'rawTransaction' in read ? read.rawTransaction : read['raw_txn'],
    ...(secondarySignerAddresses && { secondarySignerAddresses }),
    ...(feePayerAddress && { feePayerAddress }),
  }
  return [read, generateSigningMessageForTransaction(given as never)]
}

function stellarTurns(): Turn[] {
  const own = Keypair.fromRawEd25519Seed(Buffer.from(key.privateKey)).publicKey()
  return fc.sample(randomStellar(own), drawn).map((transaction) => {
    const bytes = transaction.toEnvelope().toXDR()
    return {
      ours: decodeAndDigest(stellarTransaction, 'stellar', Uint8Array.from(bytes), key),
      theirs: () => {
        const envelope = xdr.TransactionEnvelope.fromXDR(bytes)
        return TransactionBuilder.fromXDR(envelope, Networks.PUBLIC).hash()
      },
    }
  })
}
