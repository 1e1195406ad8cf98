import { toHex } from '../../codec/hex.ts'
import type { Action } from '../../effect.ts'
import { payingNobody } from '../../policy/action-effects.ts'
import type { AgentEffect, AgentTrap } from '../../policy/agent-decoded.ts'
import { type AgentEffects, effectsMax } from '../../policy/agent-effects.ts'
import { readExecution } from '../account-executions.ts'
import { checksumAddress } from '../address.ts'
import { type InnerCall, multiSends } from '../call-batches.ts'
import { decodeDepositMethod, isDepositMethod } from '../deposit-methods.ts'
import { entryPoint } from '../entry-point.ts'
import { wrappedNative } from '../known-tokens.ts'
import { isAgentBatch, readAgentBatch } from './batches.ts'
import { readAgentMethod } from './methods.ts'
import type { OwnAccounts } from './own-accounts.ts'
import { withReceivers } from './receivers.ts'
import { isTokenCallMethod, readTokenCall } from './token-calls.ts'

/** A call and who makes it (EIP-55). */
export type AgentCall = InnerCall & { readonly from: string }

type Walk = OwnAccounts & { readonly effects: AgentEffect[]; trap: AgentTrap | null; left: number }

/** Wrappers within wrappers, calls of one, and all of them; what is beyond is refused. */
const depthMax = 4
const batchMax = 64
const callsMax = 256

/** Contracts that create others of the data they are sent: the CREATE2 deployer of most chains, and Safe's. */
const deployers = new Set([
  '0x4e59b44847b379578588920cA78FbF26c0B4956C',
  '0x914d7Fec6aaC8cd542e72Bca78B30650d45643d7',
])

/**
 * The effects of calls in order, and of all calls that they hand on, down to four wrappers. A wrapper that is not the wallet's
 * smart account is an effect of its own, since only an allowed contract is trusted to hand on what it is given. Value that a
 * wrapper hands on counts once, at the call that it goes to.
 */
export function readCalls(calls: readonly AgentCall[], own: OwnAccounts): Omit<AgentEffects, 'fee'> {
  const walk: Walk = { ...own, effects: [], trap: null, left: callsMax }
  for (const call of calls) walkCall(call, walk, 0)
  return { effects: walk.effects, trap: walk.trap }
}

function walkCall(call: AgentCall, walk: Walk, depth: number): void {
  // A call has few effects more than its bytes have places for: the walk ends where there are too many.
  if (walk.effects.length > effectsMax) {
    refuse(walk, 'payload_undecodable')
    return
  }
  const { from, data, value } = call
  const to = call.to === null ? null : checksumAddress(call.to)
  if (to === null) {
    addNative(walk, value, from, to)
    refuse(walk, 'contract_creation_not_allowed')
  } else if (call.isDelegated) {
    walkDelegated(call, to, walk, depth)
  } else if (data.length === 0) {
    const payment = native(walk, value, from, to)
    const isOwn = to === from && (to === walk.key || to === walk.account)
    walk.effects.push(isOwn ? payingNobody(payment) : payment)
  } else if (to === walk.account || to === walk.key || to === from) {
    walkOwn(call, to, walk, depth)
  } else {
    walkContract(call, to, walk, depth)
  }
}

function walkContract(call: AgentCall, to: string, walk: Walk, depth: number): void {
  const { from, data, value } = call
  const batch = readAgentBatch(data, { contract: to, sender: from })
  if (batch) {
    addBatch(call, batch.calls, to, walk)
    if (batch.name === 'handleOps') refuse(walk, 'contract_call_not_allowed')
    walkInner(batch.calls, to, walk, depth)
    return
  }
  if (isAgentBatch(data)) {
    addNative(walk, value, from, to)
    refuse(walk, 'payload_undecodable')
  } else if (deployers.has(to)) {
    addNative(walk, value, from, to)
    refuse(walk, 'contract_creation_not_allowed')
  } else {
    addMethod(call, to, walk)
  }
}

/**
 * A router calls itself with the value of the batch, and keeps what its methods leave; others keep what their calls do not take, and what
 * goes along with a call that may fail.
 */
function addBatch(call: AgentCall, calls: readonly InnerCall[], to: string, walk: Walk): void {
  const { from, value } = call
  const rest = value - handedOn(calls, value)
  const isOfItself = calls.length > 0 && calls.every((inner) => inner.from === from)
  if (rest > 0n || mayStay(calls, value))
    walk.effects.push({ ...native(walk, rest, from, to), ...(isOfItself && { isAttached: true }) })
  addCall(walk, isOfItself && rest > 0n ? 'unknown' : 'call', call, to)
}

/** Whether a contract may be left with value that it hands on. */
function mayStay(calls: readonly InnerCall[], value: bigint): boolean {
  return value > 0n && calls.some((inner) => inner.mayFail === true && inner.value > 0n)
}

function addMethod(call: AgentCall, to: string, walk: Walk): void {
  const { from, data, value } = call
  const method = { contract: to, sender: from }
  const meaning = readAgentMethod(data, toHex(data.subarray(0, 4)), method)
  // Methods of tokens use no value: what goes along stays there.
  if (value > 0n)
    walk.effects.push({ ...native(walk, value, from, to), ...(!meaning && { isAttached: true }) })
  if (to === entryPoint && isDepositMethod(data)) {
    const deposit = decodeDepositMethod(data, { chain: walk.chain, address: from })
    addDeposits(walk, deposit?.actions ?? [])
    addReceived(walk, [callEffect('call', call, to)], call)
    if (!deposit) refuse(walk, 'payload_undecodable')
    return
  }
  if (!meaning) {
    const taken = readTokenCall(data, method)
    addReceived(walk, taken ?? [callEffect('unknown', call, to)], call)
    if (!taken && isTokenCallMethod(data)) refuse(walk, 'payload_undecodable')
    return
  }
  walk.effects.push(...meaning.effects)
  if (meaning.trap) refuse(walk, meaning.trap)
}

/**
 * An account that is instructed to make calls makes them; what else is done to the wallet's own accounts, or by an account to
 * itself, is administration: its deposit is taken back at the EntryPoint.
 */
function walkOwn(call: AgentCall, to: string, walk: Walk, depth: number): void {
  const { data, value, from } = call
  const calls = callsOfOwn(data, to, walk)
  const rest = value - handedOn(calls ?? [], value)
  // A contract that calls itself is not the wallet's.
  const isLeft = to !== walk.account && to !== walk.key && mayStay(calls ?? [], value)
  if (rest > 0n || isLeft) walk.effects.push(native(walk, rest, from, to))
  if (calls) {
    walkInner(calls, to, walk, depth)
  } else {
    addCall(walk, 'admin', call, to)
    refuse(walk, 'account_admin_not_allowed')
  }
}

/** The key's own address runs code only where it has handed itself over (EIP-7702): nobody knows which. */
function callsOfOwn(data: Uint8Array, to: string, { account, key }: Walk): readonly InnerCall[] | undefined {
  if (to === key) return undefined
  return to === account ? readExecution(data) : readAgentBatch(data, { contract: to, sender: to })?.calls
}

/** Foreign code that runs as an account can do all that it can; MultiSend is known to make the calls it is given. */
function walkDelegated(call: AgentCall, code: string, walk: Walk, depth: number): void {
  const { from, data } = call
  const batch = multiSends.has(code) ? readAgentBatch(data, { contract: from, sender: from }) : undefined
  if (batch?.name === 'multiSend') {
    walkInner(batch.calls, from, walk, depth)
  } else {
    addCall(walk, 'admin', call, code)
    refuse(walk, 'account_admin_not_allowed')
  }
}

function walkInner(calls: readonly InnerCall[], maker: string, walk: Walk, depth: number): void {
  walk.left -= calls.length
  if (depth >= depthMax || calls.length > batchMax || walk.left < 0) {
    refuse(walk, 'payload_undecodable')
  } else {
    for (const call of calls) walkCall({ from: maker, ...call }, walk, depth + 1)
  }
}

/** How much of `value` goes on with the calls that a contract makes with its own money. */
function handedOn(calls: readonly InnerCall[], value: bigint): bigint {
  let sum = 0n
  for (const call of calls) if (call.from === undefined && !call.isDelegated) sum += call.value
  return sum < value ? sum : value
}

function refuse(walk: Walk, trap: AgentTrap): void {
  walk.trap ??= trap
}

function addNative(walk: Walk, amount: bigint, from: string, to: string | null): void {
  if (amount > 0n) walk.effects.push(native(walk, amount, from, to))
}

function native({ chain }: Walk, amount: bigint, from: string, to: string | null): AgentEffect {
  return {
    kind: 'transfer',
    asset: chain.nativeAsset.symbol,
    amount,
    from,
    to,
    isNative: true,
    contract: null,
    selector: null,
  }
}

type CallKind = 'call' | 'unknown' | 'admin'

function addCall(walk: Walk, kind: CallKind, call: AgentCall, contract: string): void {
  walk.effects.push(callEffect(kind, call, contract))
}

/** Calls, and for whom they are. */
function addReceived(walk: Walk, calls: readonly AgentEffect[], { data, from, value }: AgentCall): void {
  const wrapped = wrappedNative(walk.chain)
  const { effects, trap } = withReceivers(calls, data, {
    from,
    value,
    own: [walk.key, walk.account],
    wrapped,
  })
  walk.effects.push(...effects)
  if (trap) refuse(walk, trap)
}

function callEffect(kind: CallKind, { data, from }: AgentCall, contract: string): AgentEffect {
  const selector = data.length < 4 ? null : `0x${toHex(data.subarray(0, 4))}`
  return { kind, asset: null, amount: null, from, to: contract, isNative: false, contract, selector }
}

/** A withdrawal from a deposit for gas leaves the wallet. */
function addDeposits(walk: Walk, actions: readonly Action[]): void {
  for (const { kind, amount, from, to } of actions) {
    if (kind === 'transfer') addNative(walk, amount ?? 0n, from, to)
  }
}
