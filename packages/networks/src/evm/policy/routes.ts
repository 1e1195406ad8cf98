import { toHex } from '../../codec/hex.ts'
import { unlessRefused } from '../../network-error.ts'
import { selectorOf } from '../selector.ts'
import { bridgeRoutes } from './bridges.ts'
import { callView } from './call-view.ts'
import { lifiBridges, lifiSwaps } from './lifi-facets.ts'
import type { Route, RouteReader } from './route.ts'
import { readUniversalRouter } from './universal-router.ts'

const zero = `0x${'0'.repeat(40)}`

/** 1inch: the description of a swap stands behind its executor, who gets what is swapped; nobody as the receiver is the caller. */
const readOneInch: RouteReader = (data) => {
  const to = callView(data).address(4)
  return { receivers: to === zero ? [] : [to], taken: [], isPartial: true }
}

/** LI.FI: bridge data first. Tokens are taken as they are where nothing is swapped before; native value is the zero address. What else it is given (refunds, relayers, fees, calls) names others. */
const readLifi =
  (isSwapped: boolean): RouteReader =>
  (data) => {
    const bridge = callView(data).at(0)
    const token = bridge.address(4)
    const isTaken = !isSwapped && token !== zero
    return {
      receivers: [bridge.address(5)],
      taken: isTaken ? [{ token, amount: bridge.uint(6) }] : [],
      isPartial: true,
    }
  }

const swap = '(address,address,address,address,uint256,uint256,uint256)'

const routes: ReadonlyMap<string, RouteReader> = new Map<string, RouteReader>([
  ...each(['execute(bytes,bytes[],uint256)', 'execute(bytes,bytes[])'], readUniversalRouter),
  ...each([`swap(address,${swap},bytes,bytes)`, `swap(address,${swap},bytes)`], readOneInch),
  ...lifiBridges.flatMap((signature) => each([signature], readLifi(signature.startsWith('swap')))),
  ...each(lifiSwaps, (data) => ({ receivers: [callView(data).address(3)], taken: [], isPartial: true })),
  ...bridgeRoutes.flatMap(({ signatures, read }) => each(signatures, read)),
])

/** Where a call of a router or bridge goes; `undefined` for another method, `null` where its arguments are not to be read. */
export function readRoute(data: Uint8Array, value: bigint): Route | null | undefined {
  const read = routes.get(toHex(data.subarray(0, 4)))
  return read && (unlessRefused(() => read(data.subarray(4), value)) ?? null)
}

function each(signatures: readonly string[], read: RouteReader): (readonly [string, RouteReader])[] {
  return signatures.map((signature) => [selectorOf(signature), read])
}
