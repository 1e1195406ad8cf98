import type { Chain } from '../chains.ts'
import { feeWarnings } from '../fee-warnings.ts'
import { fromHex0x, type Hex } from '../hex.ts'
import type { Action, Decoded } from '../network.ts'
import { invalidRequest } from '../network-error.ts'
import { type SignPreview, signPreview } from '../sign-preview.ts'
import type { EvmCall } from './account-calls.ts'
import { readExecution } from './account-executions.ts'
import { decodeAccountMethod, decodeDepositMethod, takeoverStart } from './account-methods.ts'
import { checksumAddress } from './address.ts'
import { entryPoint } from './light-account.ts'
import { type CallBytes, decodeCallEffects, nativeTransfer } from './transaction-effects.ts'

/**
 * What a preview of calls needs besides them: the account (`from`), the fee in the worst case (wei) and whether somebody
 * else pays it, until when the operation can be submitted (ISO 8601).
 */
export type CallsScope = {
  readonly chain: Chain
  readonly from: Hex
  readonly fee: bigint
  readonly expiresAt: string
  readonly isSponsored?: boolean
}

type Account = { readonly chain: Chain; readonly address: string }

/** More than a person reads, and what the wire takes of each. */
const actionsMax = 256
const warningsMax = 64
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
    const deposit =
      to === entryPoint && call.value === 0n ? decodeDepositMethod(call.data, account) : undefined
    return [deposit ?? decodeCallEffects(call, account)]
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

/** All actions, or with too many of them as many as are shown and one that stands for the rest. */
function boundedActions(parts: readonly Decoded[], from: string, warnings: string[]): readonly Action[] {
  const actions = parts.flatMap((part) => part.actions)
  if (actions.length <= actionsMax) return actions
  const shown = actions.slice(0, actionsMax - 1)
  warnings.unshift(`${actions.length - shown.length} further actions are not shown.`)
  const rest = { asset: null, amount: null, amountDisplay: null, method: null, args: null }
  return [...shown, { ...rest, kind: 'unknown', from, to: null }]
}

/** Each once, takeovers first, so that no crowd of others hides one. */
function orderedWarnings(warnings: readonly string[]): readonly string[] {
  const once = [...new Set(warnings)]
  const isTakeover = (warning: string) => warning.startsWith(takeoverStart)
  const ordered = [...once.filter(isTakeover), ...once.filter((warning) => !isTakeover(warning))]
  if (ordered.length <= warningsMax) return ordered
  const shown = ordered.slice(0, warningsMax - 1)
  return [...shown, `${ordered.length - shown.length} further warnings are not shown.`]
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
