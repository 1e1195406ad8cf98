import type { Chain } from '../chain.ts'
import { toHex } from '../codec/hex.ts'
import { invalidPayload } from '../network-error.ts'
import { excerptText } from '../preview/excerpt.ts'
import { expiryMs } from '../preview/expiry.ts'
import type { DescribedAction } from '../preview/summarize.ts'
import { type Account, readAccount } from './accounts.ts'
import { type NeededSignature, readLedgerKey, readSignerKey, type SignerKey, signatureHint } from './keys.ts'
import { describeOperation, readOperation } from './operations.ts'
import { type XdrReader, xdrReader } from './xdr-reader.ts'

/**
 * Something that is signed: its bytes with the kind in front (what is hashed behind the network's id), and its
 * signatures as they stand, with their places in the envelope.
 */
export type Signable = {
  readonly body: Uint8Array
  readonly start: number
  readonly end: number
  readonly signatures: readonly DecoratedSignature[]
}

/** A signature with the last four bytes of its key. */
export type DecoratedSignature = { readonly hint: Uint8Array; readonly signature: Uint8Array }

/** A memo as arguments of an action: text, id (a number), hash or return (the hash of what is paid back). */
type Memo = { readonly memo_type: string; readonly memo: string }

/** A transaction taken apart; `needed` are the signatures that it must have, its source's first. */
export type StellarTransaction = Signable & {
  readonly source: Account
  readonly fee: bigint
  readonly expiresAtMs: number | undefined
  readonly memo: Memo | null
  readonly described: readonly DescribedAction[]
  readonly needed: readonly NeededSignature[]
}

/** An envelope: a transaction, and the fee bump around it if there is one. */
export type StellarEnvelope = {
  readonly transaction: StellarTransaction
  readonly feeBump: (Signable & { readonly source: Account; readonly fee: bigint }) | null
}

const transactionKind = 2
const feeBumpKind = 5
const operationsMax = 100
/** Signatures that an envelope holds. */
export const signaturesMax = 20

/**
 * Decodes a TransactionEnvelope: version 1, or a fee bump (CAP-15) around it. Envelopes of version 0 and anything
 * that is not its own encoding are `invalid_payload`.
 */
export function decodeEnvelope(bytes: Uint8Array, chain: Chain): StellarEnvelope {
  const reader = xdrReader(bytes)
  const kind = reader.u32()
  if (kind !== transactionKind && kind !== feeBumpKind)
    throw invalidPayload('The envelope is of an unknown kind.')
  if (kind === transactionKind) {
    const transaction = readTransaction(reader, 0, chain)
    reader.end()
    return { transaction, feeBump: null }
  }
  const source = readAccount(reader)
  const fee = reader.amount()
  const start = reader.position()
  if (reader.u32() !== transactionKind) throw invalidPayload('The inner transaction is of an unknown kind.')
  const transaction = readTransaction(reader, start, chain)
  reader.tag(1)
  const feeBump = { source, fee, ...readSignatures(reader, 0) }
  reader.end()
  return { transaction, feeBump }
}

function readTransaction(reader: XdrReader, start: number, chain: Chain): StellarTransaction {
  const source = readAccount(reader)
  const fee = BigInt(reader.u32())
  reader.i64()
  const { expiry, signers } = readPreconditions(reader)
  const memo = readMemo(reader)
  const scope = { chain, source: source.address }
  const operations = reader.list(operationsMax, (item) => readOperation(item, scope))
  if (operations.length === 0) throw invalidPayload('The transaction has no operation.')
  const assets = reader.tag(2) === 1 ? readResources(reader, chain) : []
  const sources = [source, ...operations.flatMap((operation) => operation.source ?? [])]
  return {
    source,
    fee,
    expiresAtMs: expiry,
    memo,
    described: operations.flatMap((operation) => describeOperation(operation, scope, assets)),
    needed: [
      ...new Map(
        sources.map(({ address, key }) => [address, { hint: signatureHint(key), key, message: null }]),
      ).values(),
      ...signers.flatMap(({ needed }) => needed ?? []),
    ],
    ...readSignatures(reader, start),
  }
}

function readPreconditions(reader: XdrReader): {
  expiry: number | undefined
  signers: SignerKey[]
} {
  const kind = reader.tag(3)
  if (kind === 0) return { expiry: undefined, signers: [] }
  if (kind === 1) return { expiry: readTimeBounds(reader), signers: [] }
  const expiry = reader.option(readTimeBounds)
  reader.option((bounds) => [bounds.u32(), bounds.u32()])
  reader.option(reader.i64)
  reader.u64()
  reader.u32()
  return { expiry, signers: reader.list(2, readSignerKey) }
}

/** 0 means no end. */
function readTimeBounds(reader: XdrReader): number | undefined {
  reader.u64()
  const end = reader.u64()
  return end === 0n ? undefined : expiryMs(end)
}

function readMemo(reader: XdrReader): Memo | null {
  switch (reader.tag(5)) {
    case 0:
      return null
    case 1:
      return { memo_type: 'text', memo: excerptText(reader.opaque(28)) }
    case 2:
      return { memo_type: 'id', memo: reader.u64().toString() }
    case 3:
      return { memo_type: 'hash', memo: toHex(reader.fixed(32)) }
    default:
      return { memo_type: 'return', memo: toHex(reader.fixed(32)) }
  }
}

/** SorobanTransactionData: what contracts read and write, of which the assets are returned; its fee is part of the transaction's. */
function readResources(reader: XdrReader, chain: Chain): readonly string[] {
  const unbounded = Number.POSITIVE_INFINITY
  if (reader.tag(2) === 1) reader.list(unbounded, (item) => item.u32())
  const readKeys = () => reader.list(unbounded, (item) => readLedgerKey(item, chain))
  const keys = [...readKeys(), ...readKeys()]
  reader.fixed(12)
  reader.amount()
  return keys.flatMap(({ asset }) => asset ?? [])
}

function readSignatures(reader: XdrReader, bodyStart: number): Signable {
  const start = reader.position()
  const body = reader.since(bodyStart)
  const signatures = reader.list(signaturesMax, (item) => ({
    hint: item.fixed(4),
    signature: item.opaque(64),
  }))
  return { body, start, end: reader.position(), signatures }
}
