import type { Effect } from '../../effect.ts'
import { unread } from '../../policy/action-effects.ts'
import type { AgentEffect } from '../../policy/agent-decoded.ts'
import { isUnlimited } from '../../preview/amount-display.ts'
import { type AbiReader, readCallData } from '../abi-reader.ts'
import type { MethodCall } from '../known-method.ts'
import { knownMethod } from '../known-methods.ts'
import { methodTable } from '../method-table.ts'
import { permit2Address } from '../permit2.ts'
import { selectorOf } from '../selector.ts'
import { refusedMethod } from './refused-methods.ts'

/** What a method does to tokens, `trap` where no policy allows it. */
export type AgentMethodMeaning = Pick<Parts, 'effects'> & { readonly trap: Parts['trap'] }

type Parts = {
  readonly effects: readonly AgentEffect[]
  readonly trap: 'account_admin_not_allowed' | 'approval_not_allowed' | 'payload_undecodable' | Refused | null
}
type Refused = NonNullable<ReturnType<typeof refusedMethod>>
type Read = (reader: AbiReader, call: MethodCall) => readonly (Effect | AgentEffect)[]

/** Some tokens take 2^96 - 1 for unlimited, as others take 2^256 - 1 (Compound's COMP, Uniswap's UNI). */
const unlimited96 = 2n ** 96n - 1n

/**
 * What a call's method does to tokens and to whom it gives rights, or `undefined` for a method that is not known: then only
 * the contract can be allowed. A known method whose arguments are not their canonical encoding is a trap, since a contract
 * may read them all the same. `selector` is 8 hex digits.
 */
export function readAgentMethod(
  data: Uint8Array,
  selector: string,
  call: MethodCall,
): AgentMethodMeaning | undefined {
  const refused = refusedMethod(selector)
  if (refused !== undefined) return { effects: [], trap: refused }
  if (selector === permit2Approve && call.contract !== permit2Address) return undefined
  const known = tokenMethods.get(selector) ?? knownMethod(selector)
  if (!known) return undefined
  const effects = readCallData(data, known.argumentCount, (reader) => {
    const meaning = known.read(reader, call)
    return 'effects' in meaning ? meaning.effects : meaning
  })
  if (!effects) return { effects: [], trap: 'payload_undecodable' }
  const evaluated = effects.map((effect) => (isCall(effect) ? effect : tokenEffect(effect)))
  if (evaluated.some(({ kind }) => kind === 'admin'))
    return { effects: evaluated, trap: 'account_admin_not_allowed' }
  return { effects: evaluated, trap: evaluated.some(isUnlimitedApproval) ? 'approval_not_allowed' : null }
}

const isCall = (effect: Effect | AgentEffect): effect is AgentEffect => 'selector' in effect

/** A token's effect for a policy; an allowance without bound in practice has no amount. */
export function tokenEffect({ kind, asset, amount, from, to }: Effect): AgentEffect {
  const isUnbounded = kind === 'approval' && (isUnlimited(amount) || amount === unlimited96)
  return {
    kind,
    asset,
    amount: isUnbounded ? null : amount,
    from,
    to,
    isNative: false,
    contract: null,
    selector: null,
  }
}

/** Whether an effect lets its `to` take any amount. */
export function isUnlimitedApproval({ kind, amount }: AgentEffect): boolean {
  return kind === 'approval' && amount === null
}

/** approve(address,address,uint160,uint48): known of one contract only. */
const permit2Approve = '87517c45'

/** How receivers are called that are handed data too: ERC-223, ERC-677 and 1363, ERC-777, and of approvals. */
const fallbacks = ['tokenFallback(address,uint256,bytes)', 'tokenReceived(address,uint256,bytes)']
const receipts = [
  'onTransferReceived(address,address,uint256,bytes)',
  'onTokenTransfer(address,uint256,bytes)',
]
const hooks = ['tokensReceived(address,address,address,uint256,bytes,bytes)']
const approvals = [
  'onApprovalReceived(address,uint256,bytes)',
  'receiveApproval(address,uint256,address,bytes)',
]

const tokenMethods = methodTable<{ read: Read }>({
  'transferFrom(address,address,uint256)': { read: pulled },
  'transfer(address,uint256,bytes)': { read: handedOn(sent, 1, fallbacks) },
  'transferWithMemo(address,uint256,bytes32)': { read: words(sent, 1) },
  'transferWithMemo(address,uint256,bytes)': { read: behind(sent, 1) },
  'transferWithMemo(address,uint256,string)': { read: behind(sent, 1) },
  'transferFromWithMemo(address,address,uint256,bytes32)': { read: words(pulled, 1) },
  'transferWithData(address,uint256,bytes)': { read: behind(sent, 1) },
  'transferFromWithData(address,address,uint256,bytes)': { read: behind(pulled, 1) },
  'safeTransfer(address,uint256)': { read: sent },
  'safeTransfer(address,uint256,bytes)': { read: handedOn(sent, 1, fallbacks) },
  'forcedTransfer(address,address,uint256)': { read: pulled },
  'transferAndCall(address,uint256)': { read: sent },
  'transferAndCall(address,uint256,bytes)': { read: handedOn(sent, 1, receipts) },
  'transferFromAndCall(address,address,uint256)': { read: pulled },
  'transferFromAndCall(address,address,uint256,bytes)': { read: handedOn(pulled, 1, receipts) },
  'send(address,uint256,bytes)': { read: handedOn(sent, 1, hooks) },
  'operatorSend(address,address,uint256,bytes,bytes)': { read: handedOn(pulled, 2, hooks) },
  'push(address,uint256)': { read: sent },
  'move(address,address,uint256)': { read: pulled },
  'pull(address,uint256)': {
    read: (reader, call) => [moved(call.contract, reader.address(), call.sender, reader.uint())],
  },
  'transferFrom(address,address,uint160,address)': {
    read(reader) {
      const [from, to, amount] = [reader.address(), reader.address(), reader.uint(160)]
      return [moved(reader.address(), from, to, amount)]
    },
  },
  'transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)': {
    read: words(pulled, 6),
  },
  'receiveWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)': {
    read: words(pulled, 6),
  },
  'transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)': {
    read: behind(words(pulled, 3), 1),
  },
  'receiveWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)': {
    read: behind(words(pulled, 3), 1),
  },
  'temporaryApprove(address,uint256)': { read: approved },
  'increaseApproval(address,uint256)': { read: approved },
  'decreaseApproval(address,uint256)': { read: lowered },
  'approveAndCall(address,uint256)': { read: approved },
  'approveAndCall(address,uint256,bytes)': { read: handedOn(approved, 1, approvals) },
  'permit(address,address,uint256,uint256,bytes)': { read: behind(words(permitted, 1), 1) },
  'permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)': { read: daiPermitted },
  'authorizeOperator(address)': { read: (reader, call) => [allowance(call, reader.address(), null)] },
  'revokeOperator(address)': { read: (reader, call) => [allowance(call, reader.address(), 0n)] },
  'setOperator(address,bool)': { read: operator },
  'allow(address,bool)': { read: operator },
})

function sent(reader: AbiReader, { contract, sender }: MethodCall): readonly Effect[] {
  return [moved(contract, sender, reader.address(), reader.uint())]
}

/** ERC-20 has an amount where ERC-721 has an id, which moves one item: the larger of both readings counts. */
function pulled(reader: AbiReader, { contract }: MethodCall): readonly Effect[] {
  const [from, to, amount] = [reader.address(), reader.address(), reader.uint()]
  return [moved(contract, from, to, amount > 0n ? amount : 1n)]
}

function approved(reader: AbiReader, call: MethodCall): readonly Effect[] {
  return [allowance(call, reader.address(), reader.uint())]
}

function lowered(reader: AbiReader, call: MethodCall): readonly Effect[] {
  const spender = reader.address()
  reader.uint()
  return [allowance(call, spender, 0n)]
}

function permitted(reader: AbiReader, { contract }: MethodCall): readonly Effect[] {
  return [allowance({ contract, sender: reader.address() }, reader.address(), reader.uint())]
}

function daiPermitted(reader: AbiReader, { contract }: MethodCall): readonly Effect[] {
  const [holder, spender] = [reader.address(), reader.address()]
  reader.uint()
  reader.uint()
  const amount = reader.bool() ? null : 0n
  reader.uint(8)
  reader.word()
  reader.word()
  return [allowance({ contract, sender: holder }, spender, amount)]
}

function operator(reader: AbiReader, call: MethodCall): readonly Effect[] {
  const spender = reader.address()
  return [allowance(call, spender, reader.bool() ? null : 0n)]
}

/** The same method with byte strings behind that change nothing of what moves. */
function behind(read: Read, count: number): Read {
  return (reader, call) => {
    const effects = read(reader, call)
    for (let left = count; left > 0; left--) reader.bytes()
    return effects
  }
}

/** The same method with byte strings behind, with which the receiver is called: what the caller says there is a call of that contract. */
function handedOn(read: Read, count: number, methods: readonly string[]): Read {
  const [selector = null, ...selectors] = methods.map((method) => `0x${selectorOf(method)}`)
  return (reader, call) => {
    const [effect] = read(reader, call)
    const strings = Array.from({ length: count }, () => reader.bytes())
    if (effect === undefined || strings.every(({ length }) => length === 0)) return effect ? [effect] : []
    return [effect, { ...unread(call.sender, effect.to ?? call.contract, selector), selectors }]
  }
}

/** The same method with words behind that change nothing of what moves. */
function words(read: Read, count: number): Read {
  return (reader, call) => {
    const effects = read(reader, call)
    for (let left = count; left > 0; left--) reader.word()
    return effects
  }
}

function moved(asset: string, from: string, to: string, amount: bigint): Effect {
  return { kind: 'transfer', asset, amount, from, to }
}

function allowance({ contract, sender }: MethodCall, spender: string, amount: bigint | null): Effect {
  return { kind: 'approval', asset: contract, amount, from: sender, to: spender }
}
