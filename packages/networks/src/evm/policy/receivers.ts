import { toHex } from '../../codec/hex.ts'
import { bytesToQuantity } from '../../codec/quantity.ts'
import type { AgentEffect } from '../../policy/agent-decoded.ts'
import { checksumAddress } from '../address.ts'
import { selectorOf } from '../selector.ts'
import { type Places, receiverPlaces } from './receiver-places.ts'
import type { Route } from './route.ts'
import { readRoute } from './routes.ts'

/**
 * Who makes a call, with how much native value, and the wallet's own accounts (EIP-55): the only ones that nobody is paid by. `wrapped` is the
 * contract of the chain's wrapped native asset, if it is known.
 */
export type Maker = {
  readonly from: string
  readonly value: bigint
  readonly own: readonly string[]
  readonly wrapped?: string | undefined
}

const vote = `0x${selectorOf('delegate(address)')}`

const isWithoutValue = ({ asset, selector }: AgentEffect): boolean => asset !== null || selector === vote

/**
 * Calls with who gets what they make as `to`, one for each, where their method is one that names somebody and that is not an account of the wallet's own: what a
 * contract makes for itself is whoever's calls it next. A word
 * that is not an address is a trap, since a contract may read one in it all the same. Calls that take tokens have their `to` already.
 */
export function withReceivers(given: readonly AgentEffect[], data: Uint8Array, maker: Maker): Received {
  // What takes tokens or votes uses no value: what goes along stays with the contract.
  const calls = maker.value > 0n ? given.map((call) => (isWithoutValue(call) ? unnamed(call) : call)) : given
  const route = readRoute(data, maker.value)
  if (route !== undefined) return route === null ? unread(calls) : routed(calls, route, maker)
  const of = receiverPlaces.get(toHex(data.subarray(0, 4)))
  if (of === undefined) return { effects: calls.map((call) => keptBy(maker, call)), trap: null }
  const found = receiversIn(data.subarray(4), of)
  if (found === undefined) return unread(calls)
  const { receivers } = found
  const others = receivers.filter((receiver) => !maker.own.includes(receiver))
  const isPartial = of.isPartial === true || found.isPartial || isLeft(of, receivers, maker)
  const read = calls.map((call) => {
    if (isPartial || receivers.includes(call.contract ?? '')) return unnamed(call)
    return call.kind === 'unknown' ? { ...call, hasReceivers: true as const } : call
  })
  const effects =
    others.length === 0
      ? read
      : read.flatMap((call) => (call.asset === null ? others.map((to) => ({ ...call, to })) : [call]))
  return { effects, trap: null }
}

type Received = { effects: readonly AgentEffect[]; trap: 'payload_undecodable' | null }

/** A call that leaves something with the contract is for those who name its method. */
const unnamed = (call: AgentEffect): AgentEffect => ({ ...call, kind: 'unknown' })

const unread = (effects: readonly AgentEffect[]): Received => ({ effects, trap: 'payload_undecodable' })

/** Routers keep the value that they do not use. To a contract that calls, what is paid out to its caller and what comes back is left. */
function isLeft({ isRouter = false, isSpent }: Places, receivers: readonly string[], maker: Maker): boolean {
  const hasValue = maker.value > 0n
  if (maker.own.includes(maker.from)) return isRouter && hasValue
  return isRouter || receivers.length === 0 || (hasValue && isSpent !== true)
}

/** A call of a contract that names nobody leaves what it makes with that contract. */
function keptBy({ from, own }: Maker, call: AgentEffect): AgentEffect {
  const isKept = call.kind === 'call' && call.to === call.contract && !own.includes(from)
  return isKept ? { ...call, to: from } : call
}

/** A call for each whom a route names, then one for each token that it takes. */
function routed(calls: readonly AgentEffect[], route: Route, { from, own, wrapped }: Maker): Received {
  const others = [...new Set(route.receivers)].filter((receiver) => !own.includes(receiver))
  const effects = calls.flatMap((call) => {
    const { contract } = call
    const isPartial = route.isPartial || !own.includes(from) || route.receivers.includes(contract ?? '')
    const read = isPartial ? call : { ...call, hasReceivers: true as const }
    const tokens = route.taken.filter(({ token, isByValue }) => !isByValue || token !== wrapped)
    const taken = tokens.map(({ token, amount }) => ({
      ...call,
      kind: 'call' as const,
      asset: token ?? contract,
      amount,
      to: others[0] ?? contract,
    }))
    return [...(others.length === 0 ? [read] : others.map((to) => ({ ...read, to }))), ...taken]
  })
  return { effects, trap: null }
}

/** The accounts at these places, EIP-55; undefined where one of them is none. */
function receiversIn(
  args: Uint8Array,
  { words, isInTuple, isRouter, hasCaller }: Places,
): { receivers: string[]; isPartial: boolean } | undefined {
  // The tuple of one argument follows its own offset.
  if (isInTuple && numberIn(wordAt(args, 0)) !== 32n) return undefined
  const receivers: string[] = []
  let isPartial = false
  for (const index of words) {
    const word = wordAt(args, isInTuple ? index + 1 : index)
    const number = numberIn(word)
    if (word === undefined || number === undefined || number >> 160n !== 0n) return undefined
    // What is for the router itself anybody may take.
    if ((isRouter && number === 0n) || (hasCaller && number === 2n)) isPartial = true
    else if (!hasCaller || number !== 1n) receivers.push(checksumAddress(word.subarray(12)))
  }
  return { receivers, isPartial }
}

function wordAt(args: Uint8Array, index: number): Uint8Array | undefined {
  const end = 32 * (index + 1)
  return end > args.length ? undefined : args.subarray(end - 32, end)
}

const numberIn = (word: Uint8Array | undefined): bigint | undefined => word && bytesToQuantity(word)
