import type { Chain } from '../chain.ts'
import { toHex0x } from '../codec/hex.ts'
import { invalidPayload } from '../network-error.ts'
import { type BcsReader, bcsReader } from './bcs-reader.ts'
import { type EntryFunction, readEntryFunction } from './entry-function.ts'
import { type MoveScript, readScript } from './move-script.ts'

/** What a transaction runs: a script, or a function (`null`: a stored proposal), for the multisig account if there is one. */
export type AptosPayload = {
  readonly call: EntryFunction | null
  readonly multisig: Uint8Array | null
  readonly script: MoveScript | null
}

/**
 * A transaction taken apart. `raw` are the bytes of its RawTransaction; `others` the further signers and `feePayer`
 * who pays (0x addresses), `null` where there is no RawTransactionWithData of that kind.
 */
export type AptosTransaction = {
  readonly raw: Uint8Array
  readonly payload: AptosPayload
  readonly maxGas: bigint
  readonly gasPrice: bigint
  readonly expirationSeconds: bigint
  readonly others: readonly string[] | null
  readonly feePayer: string | null
}

/**
 * Decodes BCS of a RawTransaction, or of a RawTransactionWithData (0: further signers, 1: fee payer).
 * Another sender than the wallet (its 0x address), another chain id, encrypted payloads and anything that is not
 * canonical are `invalid_payload`.
 */
export function decodeAptosTransaction(bytes: Uint8Array, chain: Chain, wallet: string): AptosTransaction {
  const reader = bcsReader(bytes)
  // A byte string cannot start with a hash and repeat it one byte later: the forms exclude each other.
  const isPlain = toHex0x(bytes.subarray(0, 32)) === wallet
  if (!isPlain && toHex0x(bytes.subarray(1, 33)) !== wallet)
    throw invalidPayload('The sender is not this wallet.')
  const variant = isPlain ? undefined : reader.u8()
  const body = readRawTransaction(reader, chain)
  const raw = bytes.subarray(isPlain ? 0 : 1, bytes.length - reader.left())
  const others = isPlain ? null : reader.list(() => toHex0x(reader.address()))
  if (variant !== undefined && variant > 1) throw invalidPayload('The kind of the transaction is unknown.')
  const feePayer = variant === 1 ? toHex0x(reader.address()) : null
  reader.end()
  if (others && new Set([wallet, ...others]).size !== others.length + 1)
    throw invalidPayload('The transaction names a signer twice.')
  return { raw, ...body, others, feePayer }
}

function readRawTransaction(
  reader: BcsReader,
  chain: Chain,
): Pick<AptosTransaction, 'payload' | 'maxGas' | 'gasPrice' | 'expirationSeconds'> {
  reader.address()
  reader.u64()
  const payload = readPayload(reader)
  const maxGas = reader.u64()
  const gasPrice = reader.u64()
  const expirationSeconds = reader.u64()
  if (reader.u8() !== chain.chainId)
    throw invalidPayload(`The chain id of the transaction is not that of ${chain.handle}.`)
  return { payload, maxGas, gasPrice, expirationSeconds }
}

function readPayload(reader: BcsReader): AptosPayload {
  switch (reader.length()) {
    case 0:
      return { call: null, multisig: null, script: readScript(reader) }
    case 2:
      return { call: readEntryFunction(reader), multisig: null, script: null }
    case 3:
      return {
        multisig: reader.address(),
        call: reader.option(() => readMultisigCall(reader)) ?? null,
        script: null,
      }
    case 4:
      return readInnerPayload(reader)
    default:
      throw unknownPayload()
  }
}

function readMultisigCall(reader: BcsReader): EntryFunction {
  if (reader.length() !== 0) throw unknownPayload()
  return readEntryFunction(reader)
}

/** The payload of orderless transactions (AIP-129), version 1: what runs, multisig account, nonce. */
function readInnerPayload(reader: BcsReader): AptosPayload {
  const version = reader.length()
  const executable = reader.length()
  if (version !== 0 || executable > 2) throw unknownPayload()
  const script = executable === 0 ? readScript(reader) : null
  const call = executable === 1 ? readEntryFunction(reader) : null
  if (reader.length() !== 0) throw invalidPayload('The configuration of the transaction is unknown.')
  const multisig = reader.option(reader.address) ?? null
  reader.option(reader.u64)
  if (script && multisig) throw unknownPayload()
  if (!call && !script && !multisig) throw invalidPayload('The transaction runs nothing.')
  return { call, multisig, script }
}

function unknownPayload(): Error {
  return invalidPayload('The kind of the transaction is unknown.')
}
