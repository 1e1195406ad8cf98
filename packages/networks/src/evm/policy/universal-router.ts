import { invalidPayload } from '../../network-error.ts'
import { checksumAddress } from '../address.ts'
import { type CallView, callView } from './call-view.ts'
import type { Route, Taken } from './route.ts'

/** A command or action: where its inputs name a receiver, or how it is read otherwise. */
type Step = number | 'none' | ((input: CallView, found: Found, depth: number) => void)
type Found = { readonly receivers: string[]; readonly taken: Taken[]; isPartial: boolean; left: number }

/** Plans within plans, and all of their commands and items: offsets can lead to one place many times. */
const depthMax = 3
const stepsMax = 256
/** Bytes of a token and of a pool's fee in a path of Uniswap v3. */
const [tokenBytes, feeBytes] = [20, 3]
/** A command that may fail. */
const mayFail = 0x80

/** Uniswap's Universal Router by command (v1 and v2). Permits carry a signature of their own, which is priced where it is made. */
const commands: Readonly<Record<number, Step>> = {
  0: swapped(1, (input) => pathOf(input).subarray(0, 20)),
  1: swapped(2, (input) => pathOf(input).subarray(-20)),
  2(input, found) {
    found.receivers.push(input.address(1))
    found.taken.push({ token: input.address(0), amount: input.uint(2) })
  },
  3: 'none',
  4: 1,
  5: 1,
  6: 1,
  7: 1,
  8: swapped(1, (input) => input.list(3).word(0).subarray(12)),
  9: swapped(2, (input) => input.list(3).word(0).subarray(12)),
  10: 'none',
  11: 0,
  12: 0,
  13(input, found) {
    const list = input.list(0)
    const count = input.length(0)
    spend(found, count)
    for (let index = 0; index < count; index++) {
      const [, to, amount, token] = [0, 1, 2, 3].map((place) => 4 * index + place) as [
        number,
        number,
        number,
        number,
      ]
      found.receivers.push(list.address(to))
      found.taken.push({ token: list.address(token), amount: list.uint(amount) })
    }
  },
  14: 'none',
  16: (input, found) => run(actions, input.bytes(0), input, found, depthMax),
  33: (input, found, depth) => run(commands, input.bytes(0), input, found, depth + 1),
}

/** Uniswap v4 by action: swaps and settlements leave in the pool manager what a taking hands out. All that is owed cannot be counted. */
const actions: Readonly<Record<number, Step>> = {
  6: 'none',
  7: 'none',
  8: 'none',
  9: 'none',
  11(input, found) {
    if (input.uint(2) === 0n) return
    if (input.uint(1) === 0n) throw invalidPayload('The amount that is settled is not in the bytes.')
    take(found, input.address(0), input.uint(1))
  },
  12: (input, found) => take(found, input.address(0), input.uint(1)),
  14: 1,
  15: 'none',
  16: 1,
  17: 2,
  19: 'none',
  20: 1,
  21: 'none',
  22: 'none',
}

/**
 * Who gets what the commands of a Universal Router hand out, and the tokens that they take by Permit2; a command that is not known is
 * `invalid_payload`. Whoever calls goes by 1, the router by 2. What the router holds in between, value too, anybody may take where no
 * command hands all of it out, which is not followed.
 */
export function readUniversalRouter(data: Uint8Array, value: bigint): Route {
  const found: Found = { receivers: [], taken: [], isPartial: value > 0n, left: stepsMax }
  const view = callView(data)
  run(commands, view.bytes(0), view, found, 0)
  return { receivers: found.receivers, taken: found.taken, isPartial: found.isPartial }
}

function run(
  table: Readonly<Record<number, Step>>,
  steps: Uint8Array,
  outer: CallView,
  found: Found,
  depth: number,
): void {
  spend(found, steps.length)
  if (depth > depthMax || outer.length(1) !== steps.length)
    throw invalidPayload('The commands are malformed.')
  const inputs = outer.list(1)
  for (const [index, byte] of steps.entries()) {
    const step = table[table === commands ? byte & ~mayFail : byte]
    if (step === undefined) throw invalidPayload('A command of the router is unknown.')
    const input = callView(inputs.bytes(index))
    if (typeof step === 'function') step(input, found, depth)
    else if (step !== 'none') addReceiver(found, input, step)
  }
}

function spend(found: Found, count: number): void {
  found.left -= count
  if (found.left < 0) throw invalidPayload('The commands are too many.')
}

function addReceiver(found: Found, input: CallView, place: number): void {
  const account = input.uint(place)
  if (account === 2n) found.isPartial = true
  else if (account !== 1n) found.receivers.push(input.address(place))
}

/** A swap, for which the router pulls its input by Permit2 where the caller pays. */
function swapped(amount: number, token: (input: CallView) => Uint8Array): Step {
  return (input, found) => {
    addReceiver(found, input, 0)
    if (input.uint(4) === 0n) return
    found.taken.push({ token: checksumAddress(token(input)), amount: input.uint(amount) })
  }
}

/**
 * A path of Uniswap v3: tokens with the fee of a pool between two of them. The router follows it from the front and leaves what is too short
 * for another pool: behind the last token there would be room for the name of another one.
 */
function pathOf(input: CallView): Uint8Array {
  const path = input.bytes(3)
  if (path.length < 2 * tokenBytes + feeBytes || (path.length - tokenBytes) % (tokenBytes + feeBytes) !== 0)
    throw invalidPayload('The path of a swap is malformed.')
  return path
}

/** The native asset, the zero address, goes along as value. */
function take({ taken }: Found, token: string, amount: bigint): void {
  if (!/^0x0+$/.test(token)) taken.push({ token, amount })
}
