import { type ByteReader, byteReader } from '../codec/byte-reader.ts'
import { concat } from '../codec/concat.ts'
import { toHex } from '../codec/hex.ts'
import { isSameBytes } from '../codec/same-bytes.ts'
import type { WalletScope } from '../network.ts'
import { invalidPayload } from '../network-error.ts'
import { keyHash } from './output-keys.ts'
import { fieldOf, type Psbt, type PsbtMap, readPsbt } from './psbt.ts'
import { psbtTransaction } from './psbt-transaction.ts'
import {
  type RawTransaction,
  readOutput,
  readTransaction,
  readWitness,
  type TransactionOutput,
  transactionId,
} from './raw-transaction.ts'
import { witnessAddress } from './witness-address.ts'

/** How the wallet owns an output: by its P2WPKH or its BIP-86 script, or not at all. */
export type Owner = 'p2wpkh' | 'p2tr' | undefined

/** An input with what it spends. */
export type SpendInput = {
  readonly previous: TransactionOutput
  readonly owner: Owner
  /** Its scripts are complete: nobody has to sign it any more. */
  readonly isFinal: boolean
  /** The wallet is to sign it: its own and not final. */
  readonly isSigned: boolean
  /** The hash type of its signature: 1 is ALL, 0 taproot's DEFAULT, which means the same. */
  readonly hashType: 0 | 1
  /** `previous` was read from a transaction whose id is that of the outpoint. */
  readonly isProven: boolean
}

/** A PSBT as the wallet of a key sees it. */
export type Spend = {
  readonly psbt: Psbt
  readonly transaction: RawTransaction
  readonly inputs: readonly SpendInput[]
  /** For each output of the transaction, whether it pays the wallet. */
  readonly owners: readonly Owner[]
  readonly fee: bigint
}

/** The most inputs that the wallet signs at once, within 20 ms of the enclave's thread; a Schnorr signature takes as long as four. */
const signedInputsMax = 128
const taprootCost = 4

/** The most outputs, each of which is shown, within 20 ms of a thread. */
const outputsMax = 2_000

/**
 * Reads a PSBT and finds what of it is the wallet's. `invalid_payload`: an input without its previous output, sources of
 * it that disagree, an input twice, more than 2,000 outputs, an own input with another sighash type or with scripts, nothing to sign, more paid
 * out than in, and amounts that nothing proves (`checkAmounts`).
 */
export function readSpend(bytes: Uint8Array, scope: KeyScope): Spend {
  const { publicKey } = scope
  const psbt = readPsbt(bytes)
  const transaction = psbtTransaction(psbt)
  if (transaction.outputs.length > outputsMax)
    throw invalidPayload(`The transaction has more than ${outputsMax} outputs.`)
  const outpoints = new Set(transaction.inputs.map(({ outpoint }) => toHex(outpoint)))
  if (outpoints.size !== transaction.inputs.length) throw invalidPayload('An input is there twice.')
  const ownerOf = ownership(scope)
  const inputs = psbt.inputs.map((map, index) => {
    const outpoint = transaction.inputs[index]?.outpoint ?? new Uint8Array(0)
    return readInput(map, outpoint, ownerOf, publicKey)
  })
  checkAmounts(inputs)
  const fee = sum(inputs.map(({ previous }) => previous)) - sum(transaction.outputs)
  if (fee < 0n) throw invalidPayload('The transaction pays out more than it spends.')
  const owners = transaction.outputs.map(({ script }) => ownerOf(script))
  return { psbt, transaction, inputs, owners, fee }
}

/** The sum of amounts. */
export function sum(outputs: readonly { amount: bigint }[]): bigint {
  return outputs.reduce((total, { amount }) => total + amount, 0n)
}

/** A key and its addresses, of which the taproot one costs a multiplication on the curve: it is asked for only once a script could be its. */
type KeyScope = Pick<WalletScope, 'publicKey' | 'addresses'>

/** Recognizes the scripts of a key. */
function ownership(scope: KeyScope): (script: Uint8Array) => Owner {
  const p2wpkh = concat(Uint8Array.of(0, 20), keyHash(scope.publicKey))
  return (script) => {
    if (script.length === 22) return isSameBytes(script, p2wpkh) ? 'p2wpkh' : undefined
    if (script.length !== 34 || script[0] !== 0x51) return undefined
    const address = script[1] === 32 ? witnessAddress('bc', 1, script.subarray(2)) : undefined
    return address === scope.addresses['bitcoin_taproot'] ? 'p2tr' : undefined
  }
}

function readInput(
  map: PsbtMap,
  outpoint: Uint8Array,
  ownerOf: (script: Uint8Array) => Owner,
  publicKey: Uint8Array,
): SpendInput {
  const full = fieldOf(map, 0)
  const previous = previousOutput(full, fieldOf(map, 1), outpoint)
  const owner = ownerOf(previous.script)
  const witness = fieldOf(map, 8)
  if (witness !== undefined) readAll(witness, readWitness)
  const isFinal = witness !== undefined || fieldOf(map, 7) !== undefined
  const isSigned = owner !== undefined && !isFinal
  return {
    previous,
    owner,
    isFinal,
    isSigned,
    hashType: isSigned ? checkedHashType(map, owner, publicKey) : 1,
    isProven: full !== undefined,
  }
}

function previousOutput(
  full: Uint8Array | undefined,
  given: Uint8Array | undefined,
  outpoint: Uint8Array,
): TransactionOutput {
  const proven = full && outputOf(readTransaction(full, true), outpoint)
  const claimed = given && readAll(given, readOutput)
  if (proven && claimed && !isSameBytes(proven.bytes, claimed.bytes)) {
    throw invalidPayload('The previous outputs of an input disagree.')
  }
  const previous = proven ?? claimed
  if (!previous) throw invalidPayload('An input lacks its previous output.')
  return previous
}

function outputOf(transaction: RawTransaction, outpoint: Uint8Array): TransactionOutput {
  const reader = byteReader(outpoint)
  const isMeant = isSameBytes(reader.bytes(32), transactionId(transaction))
  const output = transaction.outputs[reader.u32()]
  if (!isMeant || !output) throw invalidPayload('A previous transaction is not the one that is spent.')
  return output
}

function readAll<item>(bytes: Uint8Array, read: (reader: ByteReader) => item): item {
  const reader = byteReader(bytes)
  const item = read(reader)
  if (reader.left() !== 0) throw invalidPayload('A field of the PSBT has trailing bytes.')
  return item
}

/** Only the whole transaction is signed (ALL, or taproot's DEFAULT), only by the key, only as the script says. */
function checkedHashType(map: PsbtMap, owner: Owner, publicKey: Uint8Array): 0 | 1 {
  const field = fieldOf(map, 3)
  const hashType = field === undefined ? (owner === 'p2tr' ? 0 : 1) : byteReader(field).u32()
  if (hashType !== 1 && !(hashType === 0 && owner === 'p2tr')) {
    throw invalidPayload('An input of the wallet asks for another sighash type than ALL.')
  }
  const internalKey = fieldOf(map, 23)
  const isForeign = internalKey !== undefined && !isSameBytes(internalKey, publicKey.subarray(1))
  // Redeem script, witness script and merkle root belong to other kinds of outputs.
  if (isForeign || [4, 5, 24].some((type) => fieldOf(map, type) !== undefined)) {
    throw invalidPayload('An input of the wallet comes with scripts or keys that are not its.')
  }
  return hashType
}

/**
 * A signature of P2WPKH commits to the amount of its own input only (BIP-143): with wrong amounts for the others, two
 * requests for one transaction give signatures that together pay a fee nobody was shown, also where each request calls
 * the other's inputs final or foreign. All inputs therefore need their previous transactions, unless there is only one, or the
 * transaction needs a signature of a taproot input, which commits to all amounts and scripts (BIP-341): all that are signed are such inputs,
 * or one of them is proven to be one. What is only called a taproot input of the wallet may be anybody's coin of another kind.
 */
function checkAmounts(inputs: readonly SpendInput[]): void {
  const signed = inputs.filter(({ isSigned }) => isSigned)
  if (signed.length === 0) throw invalidPayload('No input of the PSBT is left for this wallet to sign.')
  const cost = signed.reduce((sum, { owner }) => sum + (owner === 'p2tr' ? taprootCost : 1), 0)
  if (cost > signedInputsMax) {
    const taprootMax = signedInputsMax / taprootCost
    throw invalidPayload(`The wallet signs ${signedInputsMax} inputs at most, ${taprootMax} of taproot.`)
  }
  const taproot = signed.filter(({ owner }) => owner === 'p2tr')
  const isCommitted = taproot.length === signed.length || taproot.some(({ isProven }) => isProven)
  if (inputs.length === 1 || isCommitted) return
  if (!inputs.every(({ isProven }) => isProven)) {
    throw invalidPayload('Of several inputs, all need their whole previous transactions.')
  }
}
