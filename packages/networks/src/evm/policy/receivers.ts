import { toHex } from '../../codec/hex.ts'
import { bytesToQuantity } from '../../codec/quantity.ts'
import type { AgentEffect } from '../../policy/agent-decoded.ts'
import { checksumAddress } from '../address.ts'
import { type Places, receiverPlaces } from './receiver-places.ts'
import type { Route } from './route.ts'
import { readRoute } from './routes.ts'

/**
 * Calls with who gets what they make as `to`, one for each, where their method is one that names somebody and that is not the sender. A word
 * that is not an address is a trap, since a contract may read one in it all the same. Calls that take tokens have their `to` already.
 */
export function withReceivers(
  calls: readonly AgentEffect[],
  data: Uint8Array,
  sender: string,
  value = 0n,
): Received {
  const route = readRoute(data, value)
  if (route !== undefined) return route === null ? unread(calls) : routed(calls, route, sender)
  const of = receiverPlaces.get(toHex(data.subarray(0, 4)))
  const receivers = of === undefined ? [] : receiversIn(data.subarray(4), of)
  if (receivers === undefined) return unread(calls)
  if (of === undefined) return { effects: calls, trap: null }
  const others = receivers.filter((receiver) => receiver !== sender)
  const read = calls.map((call) =>
    call.kind === 'unknown' ? { ...call, hasReceivers: true as const } : call,
  )
  const effects =
    others.length === 0
      ? read
      : read.flatMap((call) => (call.asset === null ? others.map((to) => ({ ...call, to })) : [call]))
  return { effects, trap: null }
}

type Received = { effects: readonly AgentEffect[]; trap: 'payload_undecodable' | null }

const unread = (effects: readonly AgentEffect[]): Received => ({ effects, trap: 'payload_undecodable' })

/** A call for each whom a route names, then one for each token that it takes. */
function routed(calls: readonly AgentEffect[], route: Route, sender: string): Received {
  const others = [...new Set(route.receivers)].filter((receiver) => receiver !== sender)
  const effects = calls.flatMap((call) => {
    const read = route.isPartial ? call : { ...call, hasReceivers: true as const }
    const { contract } = call
    const taken = route.taken.map(({ token, amount }) => ({
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
function receiversIn(args: Uint8Array, { words, isInTuple, isRouter }: Places): string[] | undefined {
  // The tuple of one argument follows its own offset.
  if (isInTuple && numberIn(wordAt(args, 0)) !== 32n) return undefined
  const receivers: string[] = []
  for (const index of words) {
    const word = wordAt(args, isInTuple ? index + 1 : index)
    const number = numberIn(word)
    if (word === undefined || number === undefined || number >> 160n !== 0n) return undefined
    // Routers mean themselves by 0 or 2 and their caller by 1: what stays with them is handed on by a call of its own.
    if (!isRouter || number > 2n) receivers.push(checksumAddress(word.subarray(12)))
  }
  return receivers
}

function wordAt(args: Uint8Array, index: number): Uint8Array | undefined {
  const end = 32 * (index + 1)
  return end > args.length ? undefined : args.subarray(end - 32, end)
}

const numberIn = (word: Uint8Array | undefined): bigint | undefined => word && bytesToQuantity(word)
