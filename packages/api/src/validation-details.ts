import type * as z from 'zod'
import type { ValidationDetails } from './envelope.ts'

const issuesMax = 16
const textLengthMax = 200

type Issue = z.core.$ZodIssue
type Details = z.output<typeof ValidationDetails>

/** The issues of a schema as `error.details`: at most 16, short texts, no value of the request. */
export function validationDetails(error: { readonly issues: readonly Issue[] }): Details {
  return { issues: error.issues.flatMap((issue) => flatten(issue, [])).slice(0, issuesMax) }
}

const lineMax = 240
/** What a caller's own key could bring into a line that a page shows: controls, and the beginnings of markup. */
const unshowable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}<>&]+/gu

/** The first issue of `details` in one short line, `field.name: why`; undefined where there is none. */
export function firstIssueText(details: unknown): string | undefined {
  const { issues } = (details ?? {}) as { issues?: unknown }
  const [first] = (Array.isArray(issues) ? issues : []) as Partial<Details['issues'][number]>[]
  if (typeof first?.message !== 'string') return undefined
  const path = Array.isArray(first.path) ? first.path.join('.') : ''
  const message = first.message.replace(/\.$/, '').replaceAll('<=', 'at most ').replaceAll('>=', 'at least ')
  const line = `${path === '' ? '' : `${path}: `}${message}`.replace(unshowable, ' ')
  return line.length > lineMax ? `${line.slice(0, lineMax)}…` : line
}

/** Of a union, the issues of the alternative that came closest: the one with the deepest first issue. */
function flatten(issue: Issue, parent: readonly PropertyKey[]): Details['issues'] {
  const path = [...parent, ...issue.path]
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const closest = issue.errors.reduce((best, next) => (depth(next) > depth(best) ? next : best))
    return closest.flatMap((inner) => flatten(inner, path))
  }
  return [{ path: path.map(segment), message: issue.message.slice(0, textLengthMax) }]
}

const depth = (issues: readonly Issue[]): number => issues[0]?.path.length ?? 0

const segment = (key: PropertyKey): string | number =>
  typeof key === 'number' ? key : String(key).slice(0, textLengthMax)
