import type { Chain } from '../chain.ts'
import { fromHex0x, type Hex } from '../codec/hex.ts'
import type { Decoded } from '../effect.ts'
import { invalidRequest } from '../network-error.ts'
import { feeWarnings } from '../preview/fee-warnings.ts'
import { type SignPreview, signPreview } from '../preview/sign-preview.ts'
import type { EvmCall } from './account-calls.ts'
import { readExecution } from './account-executions.ts'
import { decodeAccountMethod } from './account-methods.ts'
import { checksumAddress } from './address.ts'
import { boundedActions, orderedWarnings } from './bounded-preview.ts'
import { type CallBytes, decodeCallEffects, nativeTransfer } from './call-effects.ts'
import { decodeCallTree } from './call-tree.ts'

/**
 * What a preview of calls needs besides them: the account (`from`), the fee in the worst case (wei) and whether somebody
 * else pays it, until when the operation can be submitted (ISO 8601; null for transactions, which do not end).
 */
export type CallsScope = {
  readonly chain: Chain
  readonly from: Hex
  readonly fee: bigint
  readonly expiresAt: string | null
  readonly isSponsored?: boolean
}

type Account = { readonly chain: Chain; readonly address: string }

const titlesShown = 3
/** Batches within batches; what is deeper counts as unknown. */
const depthMax = 3
/** A batch within a batch of more calls counts as unknown. */
const nestedCallsMax = 64

/**
 * The preview of an operation, decoded from its calls: what each does, in order, those within a batch within the batch
 * too, and what to be warned of, takeovers first. Malformed calls are `invalid_request`.
 */
export function previewCalls(calls: readonly EvmCall[], scope: CallsScope): SignPreview {
  const { chain, fee, expiresAt, isSponsored = false } = scope
  const address = checksumAddress(addressBytes(scope.from))
  const parts = calls.flatMap((call) => decodeAccountCall(callBytes(call), { chain, address }, 0))
  const sent = calls.reduce((sum, call) => sum + call.value, 0n)
  const warnings = parts.flatMap((part) => part.warnings)
  if (!isSponsored) warnings.push(...feeWarnings(fee, sent, chain))
  const decoded = {
    title: titleOf(parts),
    actions: boundedActions(parts, address, warnings),
    fee: { asset: chain.nativeAsset.symbol, amount: fee },
    warnings: orderedWarnings(warnings),
  }
  return signPreview(decoded, chain, address, expiresAt)
}

/** What a call of the account does; a batch that it hands to itself is taken apart. */
function decodeAccountCall(call: CallBytes, account: Account, depth: number): Decoded[] {
  const { chain, address } = account
  const to = call.to === null ? null : checksumAddress(call.to)
  if (to !== address || call.data.length === 0) {
    return [decodeCallTree(call, account, depth)]
  }
  const nested = depth < depthMax ? readExecution(call.data) : undefined
  const parts =
    nested && nested.length <= nestedCallsMax
      ? nested.flatMap((inner) => decodeAccountCall(inner, account, depth + 1))
      : [decodeAccountMethod(call.data, account)]
  if (call.value === 0n) return parts
  const [first, ...rest] = parts
  const paid = nativeTransfer(call.value, address, address, chain)
  if (!first) return [decodeCallEffects({ ...call, data: new Uint8Array(0) }, account)]
  return [{ ...first, actions: [paid, ...first.actions] }, ...rest]
}

function titleOf(parts: readonly Decoded[]): string {
  const [first] = parts
  if (first === undefined) return 'No calls'
  if (parts.length === 1) return first.title
  const titles = parts.slice(0, titlesShown).map((part) => part.title)
  return `${parts.length} calls: ${titles.join(', ')}${parts.length > titlesShown ? ', …' : ''}`
}

function callBytes({ to, value, data }: EvmCall): CallBytes {
  const bytes = fromHex0x(data, true)
  if (!bytes || value < 0n) throw invalidRequest('A call is malformed.')
  return { to: addressBytes(to), value, data: bytes }
}

function addressBytes(address: Hex): Uint8Array {
  const bytes = fromHex0x(address, true)
  if (bytes?.length !== 20) throw invalidRequest('An address is malformed.')
  return bytes
}
