import { expect, test } from 'vitest'
import * as z from 'zod'
import { ApiError } from './api-error.ts'
import { IpRange } from './formats.ts'
import { issueWords } from './issue-words.ts'
import type { Route } from './route.ts'
import { routes } from './routes.ts'
import { validationDetails } from './validation-details.ts'

type Issue = { path: (string | number)[]; message: string }

const refusalOf = (schema: z.ZodType, value: unknown): { message: string; issues: Issue[] } | undefined => {
  const { error } = schema.safeParse(value, { error: issueWords })
  if (error === undefined) return undefined
  const { message, details } = new ApiError('invalid_request', { details: validationDetails(error) })
  return { message, ...(details as { issues: Issue[] }) }
}

const issuesOf = (schema: z.ZodType, value: unknown): Issue[] => refusalOf(schema, value)?.issues ?? []

const schema = z.strictObject({
  code: z.string().min(2).max(6),
  limit: z.int().min(1).max(200),
  name: z.string().min(1),
  tags: z.array(z.string()).max(1),
  three: z.array(z.int()).length(3),
  share: z.int().min(1),
  mode: z.enum(['client', 'tee']),
  version: z.literal('2.0'),
  flag: z.boolean(),
  way: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('a').exactOptional() }),
    z.strictObject({ kind: z.literal('b') }),
  ]),
  step: z.number().multipleOf(5),
})
const valid = {
  code: '123456',
  limit: 1,
  name: 'n',
  tags: [],
  three: [1, 2, 3],
  share: 1,
  mode: 'tee',
  version: '2.0',
  flag: true,
  way: { kind: 'a' },
  step: 5,
}

test.each<[change: Record<string, unknown>, sentence: string]>([
  [{ code: undefined }, '`code` is required'],
  [{ code: 5 }, '`code` must be a string'],
  [{ code: '1' }, '`code` must have 2 to 6 characters'],
  [{ code: '1234567' }, '`code` must have 2 to 6 characters'],
  [{ limit: 0 }, '`limit` must be between 1 and 200'],
  [{ limit: 201 }, '`limit` must be between 1 and 200'],
  [{ limit: '7' }, '`limit` must be a number'],
  [{ limit: 1.5 }, '`limit` must be a whole number'],
  [{ name: '' }, '`name` must not be empty'],
  [{ tags: ['a', 'b'] }, '`tags` must have at most 1 item'],
  [{ tags: { a: 1 } }, '`tags` must be an array'],
  [{ tags: [1] }, '`tags[0]` must be a string'],
  [{ three: [1] }, '`three` must have exactly 3 items'],
  [{ share: 0 }, '`share` must be at least 1'],
  [{ mode: 'x' }, '`mode` must be one of `client`, `tee`'],
  [{ mode: undefined }, '`mode` is required'],
  [{ version: '1' }, '`version` must be `2.0`'],
  [{ flag: 'yes' }, '`flag` must be true or false'],
  [{ way: { kind: 'c' } }, '`way.kind` must be one of `a`, `b`'],
  [{ way: 7 }, '`way` must be an object'],
  [{ step: 6 }, '`step` must be a multiple of 5'],
  [{ more: 1 }, 'The request has an unknown field: `more`'],
  [{ more: 1, most: 2 }, 'The request has unknown fields: `more`, `most`'],
])('a refusal of %j reads: %s', (change, sentence) => {
  expect(issuesOf(schema, { ...valid, ...change }).map(({ message }) => message)).toEqual([sentence])
})

test('no name of a format in the schema library gets into a sentence', () => {
  const formats: Record<string, z.ZodType> = {
    ...{ cidrv4: z.cidrv4(), cidrv6: z.cidrv6(), ipv4: z.ipv4(), ipv6: z.ipv6(), mac: z.mac() },
    ...{ email: z.email(), url: z.url(), uuid: z.uuid(), guid: z.guid(), jwt: z.jwt(), e164: z.e164() },
    ...{ base64: z.base64(), base64url: z.base64url(), nanoid: z.nanoid(), cuid2: z.cuid2(), ulid: z.ulid() },
    ...{ datetime: z.iso.datetime(), date: z.iso.date(), time: z.iso.time(), duration: z.iso.duration() },
    ...{ regex: z.string().regex(/^a$/), starts_with: z.string().startsWith('a'), emoji: z.emoji() },
    ...{ includes: z.string().includes('a'), lowercase: z.string().lowercase(), hex: z.hex() },
  }
  const words = new Set<string>()
  for (const format of Object.values(formats)) {
    const [issue] = issuesOf(z.strictObject({ x: format }), { x: 'A\0!' })
    words.add(issue?.message ?? '')
  }
  expect([...words].sort()).toEqual([
    '`x` has another form than it must have',
    '`x` must be a URL',
    '`x` must be a UUID',
    '`x` must be an ISO 8601 date and time',
    '`x` must be an email address',
    '`x` must be base64',
  ])
})

test('a refused IP range gets words that show a good one', () => {
  const says = 'must be an IP address or range, such as 203.0.113.0/24 or 2001:db8::/32'
  for (const wrong of ['nope', '300.1.1.1', '10.0.0.0/33', 5])
    expect(issuesOf(IpRange, wrong).map(({ message }) => message)).toEqual([`The request ${says}`])
  for (const right of ['203.0.113.0/24', '203.0.113.7', '2001:db8::/32', '::1'])
    expect(issuesOf(IpRange, right)).toEqual([])
})

const junk = [undefined, null, 5, -1, 1e300, 0.5, '', 'x', 'x'.repeat(9_000), true, [], [5], {}, { x: 1 }]

/** Puts a value at a path of a copy, making the containers on the way. */
function put(root: unknown, path: readonly (string | number)[], value: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return value
  const container: Record<string | number, unknown> =
    typeof key === 'number' ? ((Array.isArray(root) ? [...root] : []) as never) : { ...(root as object) }
  container[key] = put(container[key], rest, value)
  return container
}

/** The issues of a schema for junk everywhere, four levels deep: what is required shows where to go. `whole`: the messages of the errors. */
function issuesOfJunk(input: z.ZodType): { issues: Issue[]; whole: Set<string> } {
  const seen = new Map<string, Issue>()
  const whole = new Set<string>()
  let values: unknown[] = junk
  for (let level = 0; level < 4; level++) {
    const next: unknown[] = []
    for (const value of values) {
      const refusal = refusalOf(input, value)
      if (refusal !== undefined) whole.add(refusal.message)
      for (const issue of refusal?.issues ?? []) {
        const key = JSON.stringify([issue.path, issue.message])
        if (seen.has(key)) continue
        seen.set(key, issue)
        if (seen.size < 400) next.push(...junk.map((piece) => put(value, issue.path, piece)))
      }
    }
    values = next
  }
  return { issues: [...seen.values()], whole }
}

const librarys =
  /\bvalid (regex|url|cidrv4)|cidr|ipv[46]|invalid input|invalid option|expected|received|undefined|unrecognized|too (big|small)|NaN|\[object/i

test.each(Object.values<Route>(routes).map((route) => [`${route.method} ${route.path}`, route] as const))(
  'a refused input of %s is a sentence about its field',
  (_, { body, query }) => {
    for (const input of [body, query]) {
      if (input === undefined) continue
      const { issues, whole } = issuesOfJunk(input)
      // No sentence within a sentence.
      for (const message of whole)
        expect(message).toMatch(
          /^The request (is invalid: `|(?!is invalid)(is|must|has|names|holds|needs)\b)/,
        )
      expect(issues.length).toBeGreaterThan(0)
      for (const { message } of issues) {
        expect(message).not.toMatch(librarys)
        expect(message).toMatch(/^(`[^`]+`|The request) (is|are|must|has|have|names|holds|belongs|needs)\b/)
      }
    }
  },
)
