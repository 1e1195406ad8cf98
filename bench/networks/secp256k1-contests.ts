import { sha256 } from '@cosmjs/crypto'
import { Address, OutScript, SigHash, Transaction } from '@scure/btc-signer'
import { messageBytes } from '@symbolon/networks'
import {
  bitcoinTransaction,
  cosmosAccountAddress as cosmosAccount,
  cosmosTransaction,
  evmTransaction,
  toHex,
  tronAccountAddress as tronAccount,
  tronTransaction,
} from '@symbolon/networks/testing/internals'
import { testKey } from '@symbolon/networks/testing/oracle-signer'
import { messageClasses, randomCosmos } from '@symbolon/networks/testing/random-cosmos.fuzz'
import { type SamplePsbt, sampleKeys, samplePsbt } from '@symbolon/networks/testing/random-psbt.fuzz'
import { randomTransaction } from '@symbolon/networks/testing/random-transaction.fuzz'
import { randomTron, type TronJson, tronBytes } from '@symbolon/networks/testing/random-tron.fuzz'
import { AuthInfo, SignDoc, TxBody } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import fc from 'fast-check'
import { TronWeb, utils } from 'tronweb'
import { getAddress, keccak256, parseTransaction, serializeTransaction } from 'viem'
import { type Contest, decodeAndDigest, samplesCount, type Turn } from './turns.ts'

const key = testKey('secp256k1', 1)
const drawn = { numRuns: samplesCount, seed: 4 }

/** EVM, Bitcoin, Tron and Cosmos beside viem, btc-signer, tronweb and cosmjs. */
export function secp256k1Contests(): Contest[] {
  return [
    { network: 'evm', library: 'viem', turns: evmTurns() },
    { network: 'bitcoin', library: '@scure/btc-signer', turns: bitcoinTurns() },
    { network: 'tron', library: 'tronweb', turns: tronTurns() },
    { network: 'cosmos', library: 'cosmjs-types', turns: cosmosTurns() },
  ]
}

function evmTurns(): Turn[] {
  return fc.sample(randomTransaction(1), drawn).map((transaction) => {
    const serialized = serializeTransaction(transaction)
    return {
      ours: decodeAndDigest(evmTransaction, 'ethereum', messageBytes(serialized, 'hex'), key),
      theirs: () => {
        const read = parseTransaction(serialized)
        return [read, read.to && getAddress(read.to), keccak256(serialized)]
      },
    }
  })
}

function bitcoinTurns(): Turn[] {
  return Array.from({ length: samplesCount }, (_, index) => {
    const sample = samplePsbt(index)
    const { wallet } = sampleKeys(index)
    return {
      ours: decodeAndDigest(bitcoinTransaction, 'bitcoin', sample.psbt, wallet),
      theirs: () => readBitcoin(sample),
    }
  })
}

/** Fee, addresses paid and the digest of each input. */
function readBitcoin({ psbt, inputs }: SamplePsbt): unknown {
  const transaction = Transaction.fromPSBT(psbt)
  const scripts = inputs.map(({ script }) => script)
  const amounts = inputs.map(({ amount }) => amount)
  const paid: unknown[] = []
  for (let index = 0; index < transaction.outputsLength; index++) {
    const { script, amount } = transaction.getOutput(index)
    paid.push([script && Address().encode(OutScript.decode(script)), amount])
  }
  const digests = inputs.map(({ kind, script, amount }, index) => {
    const { sighashType } = transaction.getInput(index)
    if (kind === 'p2tr') {
      return transaction.preimageWitnessV1(index, scripts, sighashType ?? SigHash.DEFAULT, amounts)
    }
    const code = OutScript.encode({ type: 'pkh', hash: script.subarray(2) })
    return transaction.preimageWitnessV0(index, code, sighashType ?? SigHash.ALL, amount)
  })
  return [transaction.fee, paid, digests]
}

function tronTurns(): Turn[] {
  const owner = toHex(tronAccount(key.publicKey))
  return fc
    .sample(randomTron(owner), { ...drawn, numRuns: 3 * samplesCount })
    .filter((sample) => isReadByTronweb(sample))
    .slice(0, samplesCount)
    .map((sample) => ({
      ours: decodeAndDigest(tronTransaction, 'tron', tronBytes(sample), key),
      theirs: () => readTron(sample),
    }))
}

/** The addresses of the contract are shown as text. */
function readTron({ raw_data, raw_data_hex }: TronJson): unknown {
  const type = raw_data.contract[0]?.type ?? ''
  const read: unknown = utils.deserializeTx.deserializeTransaction(type, raw_data_hex)
  const [contract] = (read as TronJson['raw_data']).contract
  const addresses = Object.entries(contract?.parameter.value ?? {}).flatMap(([name, value]) =>
    name.endsWith('_address') && typeof value === 'string' ? [TronWeb.address.fromHex(value)] : [],
  )
  return [read, addresses, utils.ethersUtils.sha256(`0x${raw_data_hex}`)]
}

/** tronweb writes more types than it reads. */
function isReadByTronweb(sample: TronJson): boolean {
  try {
    readTron(sample)
    return true
  } catch {
    return false
  }
}

function cosmosTurns(): Turn[] {
  const own = cosmosAccount('cosmos', key.publicKey)
  return fc.sample(randomCosmos(key.publicKey, own, 'cosmos', 'cosmoshub-4'), drawn).map(({ bytes }) => ({
    ours: decodeAndDigest(cosmosTransaction, 'cosmoshub', bytes, key),
    theirs: () => readCosmos(bytes),
  }))
}

function readCosmos(bytes: Uint8Array): unknown {
  const { bodyBytes, authInfoBytes } = SignDoc.decode(bytes)
  const { messages } = TxBody.decode(bodyBytes)
  const read = messages.map(({ typeUrl, value }) => messageClasses.get(typeUrl)?.decode(value))
  return [read, AuthInfo.decode(authInfoBytes), sha256(bytes)]
}
