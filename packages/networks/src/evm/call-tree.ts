import type { Action, Decoded } from '../effect.ts'
import type { TransactionScope } from '../network.ts'
import { excerptHex } from '../preview/excerpt.ts'
import { checksumAddress } from './address.ts'
import { boundedActions, orderedWarnings } from './bounded-preview.ts'
import { type CallBatch, type InnerCall, multiSends, readCallBatch } from './call-batches.ts'
import { type CallBytes, decodeCallEffects, nativeTransfer, unknownCall } from './call-effects.ts'
import { decodeDepositMethod } from './deposit-methods.ts'
import { entryPoint } from './entry-point.ts'
import { takeoverStart } from './takeover.ts'

type Scope = Omit<TransactionScope, 'publicKey'>
type MadeCall = InnerCall & { readonly from: string }
/** How deep a call stands, and how many more may be taken apart in all. */
type Place = { readonly chain: Scope['chain']; readonly depth: number; readonly budget: { left: number } }

/** Batches within batches, calls of one batch, and all of them; what is beyond counts as unknown. */
const depthMax = 3
const batchMax = 64
const callsMax = 256

/**
 * The effects of one call from `scope.address` and of all calls that it hands on, each from the contract or account that makes
 * it, without a fee. Never refuses: what is not understood, too deep or too much is unknown, with a warning.
 */
export function decodeCallTree(call: CallBytes, { chain, address }: Scope, depth = 0): Decoded {
  const parts = partsOf({ ...call, from: address }, { chain, depth, budget: { left: callsMax } })
  const warnings = parts.flatMap((part) => part.warnings)
  return {
    title: parts[0]?.title ?? '',
    actions: boundedActions(parts, address, warnings),
    fee: null,
    warnings: orderedWarnings(warnings),
  }
}

function partsOf(call: MadeCall, place: Place): readonly Decoded[] {
  const { from, data, value } = call
  const scope = { chain: place.chain, address: from }
  if (call.to === null) return [decodeCallEffects(call, scope)]
  const to = checksumAddress(call.to)
  if (call.isDelegated) return delegatedParts(call, to, place)
  if (data.length === 0) return [decodeCallEffects(call, scope)]
  const sent = value > 0n ? [nativeTransfer(value, from, to, place.chain)] : []
  const deposit = to === entryPoint ? decodeDepositMethod(data, scope) : undefined
  if (deposit) return [{ ...deposit, actions: [...sent, ...deposit.actions] }]
  const batch = readCallBatch(data, { contract: to, sender: from })
  if (batch && isWithin(batch, place)) {
    return [outer(batch, sent, action('call', from, to, batch)), ...innerParts(batch, to, place)]
  }
  return [batch || call.isOperation ? unknownCall(call, to, from, sent) : decodeCallEffects(call, scope)]
}

/** Code that runs as the account can do all that the account can, unless it is known to make the calls it is given. */
function delegatedParts(call: MadeCall, code: string, place: Place): readonly Decoded[] {
  const { from, data } = call
  const read = readCallBatch(data, { contract: from, sender: from })
  const batch = read?.name === 'multiSend' && isWithin(read, place) ? read : undefined
  const inner = batch ? innerParts(batch, from, place) : []
  if (multiSends.has(code)) {
    return batch
      ? [outer(batch, [], action('call', from, code, batch)), ...inner]
      : [unknownCall(call, code, from, [])]
  }
  const admin = { ...action('admin', from, code, { name: 'delegatecall' }), args: { data: excerptHex(data) } }
  const warning = `${takeoverStart}the code of ${code} runs as ${from} and can take all it holds.`
  return [
    { title: 'Run foreign code as an account', actions: [admin], fee: null, warnings: [warning] },
    ...inner,
  ]
}

function innerParts(
  { calls }: CallBatch,
  maker: string,
  { chain, depth, budget }: Place,
): readonly Decoded[] {
  budget.left -= calls.length
  return calls.flatMap((inner) => partsOf({ from: maker, ...inner }, { chain, depth: depth + 1, budget }))
}

function isWithin({ calls }: CallBatch, { depth, budget }: Place): boolean {
  return depth < depthMax && calls.length <= batchMax && calls.length <= budget.left
}

function outer({ title, calls }: CallBatch, sent: readonly Action[], call: Action): Decoded {
  const args = { calls: String(calls.length) }
  return { title, actions: [...sent, { ...call, args }], fee: null, warnings: [] }
}

function action(kind: 'call' | 'admin', from: string, to: string, { name }: { name: string }): Action {
  return { kind, asset: null, amount: null, amountDisplay: null, from, to, method: name, args: null }
}
