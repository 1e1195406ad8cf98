import { toBase58 } from '../codec/base58.ts'
import type { ByteReader } from '../codec/byte-reader.ts'
import { concat } from '../codec/concat.ts'
import { invalidPayload } from '../network-error.ts'
import { isAccountId } from './account-id.ts'

/** The permission of an access key: everything, or call methods (none named: all) of one contract, up to an allowance of fees. */
export type KeyPermission =
  | { readonly receiver: string; readonly allowance: bigint | null; readonly methods: readonly string[] }
  | 'full access'

/** One action of a transaction; keys are as `readKey` answers them, amounts yoctoNEAR, `gas` gas units. */
export type NearAction =
  | { readonly type: 'createAccount' }
  | { readonly type: 'deployContract'; readonly code: Uint8Array }
  | {
      readonly type: 'functionCall'
      readonly method: string
      readonly args: Uint8Array
      readonly gas: bigint
      readonly deposit: bigint
    }
  | { readonly type: 'transfer'; readonly deposit: bigint }
  | { readonly type: 'stake'; readonly amount: bigint; readonly key: Uint8Array }
  | {
      readonly type: 'addKey'
      readonly key: Uint8Array
      readonly nonce: bigint
      readonly permission: KeyPermission
    }
  | { readonly type: 'deleteKey'; readonly key: Uint8Array }
  | { readonly type: 'deleteAccount'; readonly beneficiary: string }
  | { readonly type: 'delegate'; readonly delegate: DelegateAction }
  | { readonly type: 'deployGlobalContract'; readonly code: Uint8Array; readonly by: 'hash' | 'account' }
  | { readonly type: 'useGlobalContract'; readonly contract: string }

/** Actions that a relayer sends for `sender` (NEP-366). */
export type DelegateAction = {
  readonly sender: string
  readonly receiver: string
  readonly actions: readonly NearAction[]
  readonly nonce: bigint
  /** The block after which it is void. */
  readonly maxBlockHeight: bigint
  readonly key: Uint8Array
}

/** `max_actions_per_receipt` of the protocol. */
const actionsMax = 100
const delegateTag = 8

/** Reads an enum's tag below `count`. */
function tag(reader: ByteReader, count: number): number {
  const value = reader.u8()
  if (value >= count) throw invalidPayload('A kind of the payload is unknown.')
  return value
}

/** An account id of the bytes. */
export function readAccountId(reader: ByteReader): string {
  const id = reader.sizedText()
  if (!isAccountId(id)) throw invalidPayload('An account id of the payload is malformed.')
  return id
}

/** A public key, its type before it: 33 bytes for ed25519, 65 for secp256k1. */
export function readKey(reader: ByteReader): Uint8Array {
  const type = tag(reader, 2)
  return concat(Uint8Array.of(type), reader.bytes(type === 0 ? 32 : 64))
}

/** The key as Near writes it: `ed25519:…` or `secp256k1:…` in base58. */
export function keyText(key: Uint8Array): string {
  return `${key[0] === 0 ? 'ed25519' : 'secp256k1'}:${toBase58(key.subarray(1))}`
}

/** The actions of a transaction; `isNested` where they are those of a delegate action, which cannot nest again. */
export function readActions(reader: ByteReader, isNested = false): NearAction[] {
  const count = reader.u32()
  if (count > actionsMax) throw invalidPayload('The payload has more than 100 actions.')
  return Array.from({ length: count }, () => {
    const type = tag(reader, readers.length)
    if (isNested && type === delegateTag) throw invalidPayload('A delegate action is within another.')
    // The tag is below the length.
    return (readers[type] as (reader: ByteReader) => NearAction)(reader)
  })
}

/** A delegate action (NEP-366), without tag and signature. */
export function readDelegateAction(reader: ByteReader): DelegateAction {
  const sender = readAccountId(reader)
  const receiver = readAccountId(reader)
  const actions = readActions(reader, true)
  const nonce = reader.u64()
  const maxBlockHeight = reader.u64()
  return { sender, receiver, actions, nonce, maxBlockHeight, key: readKey(reader) }
}

/** By tag (nearcore: `Action`). */
const readers: readonly ((reader: ByteReader) => NearAction)[] = [
  () => ({ type: 'createAccount' }),
  (reader) => ({ type: 'deployContract', code: reader.sizedBytes() }),
  (reader) => ({
    type: 'functionCall',
    method: reader.sizedText(),
    args: reader.sizedBytes(),
    gas: reader.u64(),
    deposit: reader.u128(),
  }),
  (reader) => ({ type: 'transfer', deposit: reader.u128() }),
  (reader) => ({ type: 'stake', amount: reader.u128(), key: readKey(reader) }),
  (reader) => ({
    type: 'addKey',
    key: readKey(reader),
    nonce: reader.u64(),
    permission: readPermission(reader),
  }),
  (reader) => ({ type: 'deleteKey', key: readKey(reader) }),
  (reader) => ({ type: 'deleteAccount', beneficiary: readAccountId(reader) }),
  (reader) => {
    const delegate = readDelegateAction(reader)
    reader.bytes(tag(reader, 2) === 0 ? 64 : 65)
    return { type: 'delegate', delegate }
  },
  (reader) => ({
    type: 'deployGlobalContract',
    code: reader.sizedBytes(),
    by: tag(reader, 2) === 0 ? 'hash' : 'account',
  }),
  (reader) => ({
    type: 'useGlobalContract',
    contract: tag(reader, 2) === 0 ? toBase58(reader.bytes(32)) : readAccountId(reader),
  }),
]

function readPermission(reader: ByteReader): KeyPermission {
  if (tag(reader, 2) === 1) return 'full access'
  const allowance = tag(reader, 2) === 1 ? reader.u128() : null
  const receiver = readAccountId(reader)
  const count = reader.u32()
  // Each name takes four bytes at least.
  if (count > reader.left()) throw invalidPayload('The payload ends too early.')
  return { allowance, receiver, methods: Array.from({ length: count }, () => reader.sizedText()) }
}
