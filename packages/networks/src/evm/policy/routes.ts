import { toHex } from '../../codec/hex.ts'
import { invalidPayload, unlessRefused } from '../../network-error.ts'
import { checksumAddress } from '../address.ts'
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

const hasTarget = 1n << 251n

/** 1inch v6: who fills an order gets what it sells, unless a flag of the taker's says that the arguments begin with somebody else. */
const readFilled =
  (traits: number, args: number): RouteReader =>
  (data) => {
    const view = callView(data)
    if ((view.uint(traits) & hasTarget) === 0n) return { receivers: [], taken: [], isPartial: true }
    const target = view.bytes(args).subarray(0, 20)
    if (target.length < 20) throw invalidPayload('The arguments of the order end too early.')
    return { receivers: [checksumAddress(target)], taken: [], isPartial: true }
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

const order = `(${Array.from({ length: 8 }, () => 'uint256').join(',')})`
const swap = '(address,address,address,address,uint256,uint256,uint256)'

const methods: readonly (readonly [signature: string, RouteReader])[] = [
  ...each(['execute(bytes,bytes[],uint256)', 'execute(bytes,bytes[])'], readUniversalRouter),
  ...each([`swap(address,${swap},bytes,bytes)`, `swap(address,${swap},bytes)`], readOneInch),
  ...each([`fillOrderArgs(${order},bytes32,bytes32,uint256,uint256,bytes)`], readFilled(11, 12)),
  ...each([`fillContractOrderArgs(${order},bytes,uint256,uint256,bytes)`], readFilled(10, 11)),
  ...lifiBridges.flatMap((signature) => each([signature], readLifi(signature.startsWith('swap')))),
  ...each(lifiSwaps, (data) => ({ receivers: [callView(data).address(3)], taken: [], isPartial: true })),
  ...bridgeRoutes.flatMap(({ signatures, read }) => each(signatures, read)),
]

/** The methods of routers and bridges that are read here. */
export const routeSignatures: readonly string[] = methods.map(([signature]) => signature)

const routes: ReadonlyMap<string, RouteReader> = new Map(
  methods.map(([signature, read]) => [selectorOf(signature), read]),
)

/** Where a call of a router or bridge goes; `undefined` for another method, `null` where its arguments are not to be read. */
export function readRoute(data: Uint8Array, value: bigint): Route | null | undefined {
  const read = routes.get(toHex(data.subarray(0, 4)))
  return read && (unlessRefused(() => read(data.subarray(4), value)) ?? null)
}

function each(signatures: readonly string[], read: RouteReader): (readonly [string, RouteReader])[] {
  return signatures.map((signature) => [signature, read])
}
