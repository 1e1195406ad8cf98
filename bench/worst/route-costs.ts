import { type Route, routes } from '@symbolon/api'
import { parseJsonBody } from '@symbolon/server/testing/http'
import { cpuMs } from './thread-cost.ts'
import type { WorstInput } from './worst-input.ts'
import { worstInputs } from './worst-inputs.ts'

/** What the input of a route costs its thread until the handler gets it, in ms of CPU. */
export type RouteCost = { route: string; name: string; bytes: number; parse_ms: number }

/** The dearest input of every route. */
export function routeCosts(): RouteCost[] {
  return Object.entries(routes as Readonly<Record<string, Route>>).map(([name, route]) => {
    const inputs = worstInputs[name as keyof typeof worstInputs]()
    const costs = dearest(route, inputs).map((input) => costOf(route, input))
    return costs.reduce((worst, cost) => (cost.parse_ms > worst.parse_ms ? cost : worst))
  })
}

// Routes that sign have dozens of inputs.
const measuredMax = 3

/** The inputs that took longest when they were tried once. */
function dearest(route: Route, inputs: readonly WorstInput[]): readonly WorstInput[] {
  if (inputs.length <= measuredMax) return inputs
  const tried = inputs.map((input) => {
    isAccepted(route, input)
    const startedMs = performance.now()
    isAccepted(route, input)
    return { input, tookMs: performance.now() - startedMs }
  })
  return tried
    .sort((one, other) => other.tookMs - one.tookMs)
    .slice(0, measuredMax)
    .map(({ input }) => input)
}

/** The body as it is sent. */
export const bytesOf = ({ body }: WorstInput): Buffer =>
  Buffer.from(body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body))

function costOf(route: Route, input: WorstInput): RouteCost {
  const bytes = bytesOf(input)
  const { ms } = cpuMs(() => isAccepted(route, input))
  return { route: route.id, name: input.name, bytes: bytes.length, parse_ms: ms }
}

/** Whether the route's schemas take an input; throws what the reading of its body throws. */
export const isAccepted = (route: Route, input: WorstInput): boolean =>
  (route.query === undefined || route.query.safeParse(input.query ?? {}).success) &&
  isBody(route, bytesOf(input))

function isBody({ body, handler }: Route, bytes: Buffer): boolean {
  if (bytes.length === 0) return body === undefined
  const value = parseJsonBody(bytes)
  if (handler === 'raw') return true
  if (body !== undefined) return body.safeParse(value).success
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}
