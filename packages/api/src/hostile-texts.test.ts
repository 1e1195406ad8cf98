import { hostileTexts, leastCpuMs } from '@symbolon/testing/properties'
import { expect, test } from 'vitest'
import * as z from 'zod'
import type { Route } from './route.ts'
import { routes } from './routes.ts'

/** Longer than any text of a body that is not read by a decoder. */
const length = 65_536
/** As `npm run bench -- worst` wants of whole bodies. */
const cpuMsMax = 20

type Found = Map<z.core.$ZodType, string>

/** Every schema below one that takes a text by itself, with where it is. */
function gather(schema: z.core.$ZodType, at: string, found: Found, seen = new Set<z.core.$ZodType>()): Found {
  if (seen.has(schema)) return found
  seen.add(schema)
  const inner = innerOf(schema)
  if (Object.keys(inner).length === 0) found.set(schema, at)
  for (const [name, one] of Object.entries(inner)) gather(one, `${at}${name}`, found, seen)
  return found
}

function innerOf(schema: z.core.$ZodType): Record<string, z.core.$ZodType> {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'object':
      return Object.fromEntries(Object.entries(def.shape).map(([name, one]) => [`.${name}`, one]))
    case 'array':
      return { '[]': def.element }
    case 'record':
      return { ' key': def.keyType, ' value': def.valueType }
    case 'union':
      return Object.fromEntries(def.options.map((one, i) => [`|${i}`, one]))
    case 'intersection':
      return { '&0': def.left, '&1': def.right }
    case 'pipe':
      return def.in._zod.def.type === 'transform' ? {} : { '': def.in }
    case 'optional':
    case 'nullable':
    case 'default':
    case 'readonly':
    case 'nonoptional':
    case 'catch':
    case 'prefault':
      return { '': def.innerType }
    default:
      return {}
  }
}

const leaves: Found = new Map()
for (const [name, route] of Object.entries(routes as Readonly<Record<string, Route>>))
  for (const [part, schema] of [
    ['body', route.body],
    ['query', route.query],
    ['params', route.params],
  ] as const)
    if (schema !== undefined) gather(schema, `${name} ${part}`, leaves)

test('the texts of all routes are reached', () => {
  expect(leaves.size).toBeGreaterThan(150)
  expect([...leaves.values()].some((at) => at.endsWith('.email'))).toBe(true)
})

test.each(hostileTexts(length))('no text of a route is expensive to refuse or to take: $name', ({ text }) => {
  const dear = [...leaves]
    .map(([schema, at]) => ({ at, ms: leastCpuMs(() => z.safeParse(schema, text), cpuMsMax) }))
    .filter(({ ms }) => ms > cpuMsMax)
  expect(dear).toEqual([])
})
