/**
 * Fails where a route has no generator of its worst accepted input (bench/worst), or one whose inputs the route refuses, that are
 * longer than its limit, or that do not reach it. Run: `npm run check`, or this file alone.
 */
import { type Route, routes } from '@symbolon/api'
import { bytesOf, isAccepted } from '../bench/worst/route-costs.ts'
import type { WorstInput } from '../bench/worst/worst-input.ts'
import { worstInputs } from '../bench/worst/worst-inputs.ts'

const bodyBytesMax = 256 << 10
// What is made of whole items does not end at the limit exactly.
const reached = 0.85

function accepts(route: Route, input: WorstInput): boolean {
  try {
    return isAccepted(route, input)
  } catch {
    return false
  }
}

const problems: string[] = []
for (const [name, route] of Object.entries(routes as Readonly<Record<string, Route>>)) {
  const make = (worstInputs as Readonly<Record<string, (typeof worstInputs)['health'] | undefined>>)[name]
  if (make === undefined) {
    problems.push(`${name} has no generator of its worst accepted input in bench/worst.`)
    continue
  }
  const inputs = make()
  if (inputs.length === 0) problems.push(`${name}: its generator makes no input.`)
  const limitOf = (body: unknown) =>
    typeof body === 'object' && body !== null && 'type' in body && body.type === 'transaction'
      ? bodyBytesMax
      : (route.bodyBytesMax ?? bodyBytesMax)
  for (const input of inputs) {
    const { length } = bytesOf(input)
    if (!accepts(route, input)) problems.push(`${name}, ${input.name}: the route refuses it.`)
    if (length > limitOf(input.body))
      problems.push(`${name}, ${input.name}: ${length} bytes are over its limit.`)
  }
  const takesBody = route.body !== undefined
  const longest = Math.max(0, ...inputs.map((input) => bytesOf(input).length))
  if (takesBody && longest < reached * (route.bodyBytesMax ?? bodyBytesMax))
    problems.push(`${name}: its longest body has ${longest} bytes, which is not the worst.`)
}
for (const problem of problems) console.log(problem)
process.exitCode = problems.length > 0 ? 1 : 0
