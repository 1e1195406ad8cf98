import type * as z from 'zod'
import type { ValidationDetails } from './envelope.ts'

const issuesMax = 16
const textLengthMax = 200

type Issue = z.core.$ZodIssue
type Details = z.output<typeof ValidationDetails>

/**
 * The issues of a schema, parsed with `issueWords`, as details: at most 16 predicates, short texts, no value of the request. A field has
 * one: what else a schema says of it follows from the first, and may even be false.
 */
export function validationDetails(error: { readonly issues: readonly Issue[] }): Details {
  const issues = new Map<string, Details['issues'][number]>()
  for (const issue of error.issues)
    for (const flat of flatten(issue, [])) {
      // Unknown fields are faults of their own.
      const key = JSON.stringify([flat.path, issue.code === 'unrecognized_keys'])
      if (issues.size < issuesMax && !issues.has(key)) issues.set(key, flat)
    }
  return { issues: [...issues.values()] }
}

const lineMax = 240
/** What a caller's own key could bring into a line that a page shows: controls, and the beginnings of markup. */
const unshowable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}<>&]+/gu

type NamedIssue = Partial<Details['issues'][number]>

/** Details whose issues are sentences: each predicate behind the name of its field, as in `` `items[0].email` is required``. */
export function namedIssues(details: unknown): unknown {
  const { issues } = (details ?? {}) as { issues?: unknown }
  if (!Array.isArray(issues)) return details
  return {
    ...(details as object),
    issues: issues.map((issue: NamedIssue) =>
      typeof issue?.message === 'string' ? { ...issue, message: sentence(issue.path, issue.message) } : issue,
    ),
  }
}

/**
 * What is wrong with a request, in one short line, from details whose issues are sentences: `says` and the field's sentence behind a colon,
 * as in ``The request is invalid: `to` is required (and 2 more).``, or the sentence alone where it is about the request as a whole.
 */
export function invalidText(says: string, details: unknown): string {
  const first = firstIssueText(details)
  if (first === undefined) return `${says}.`
  const text = `${first}${furtherText(details as { issues: readonly unknown[] })}.`
  return first.startsWith(`${wholeRequest} `) ? text : `${says}: ${text}`
}

/** How many issues there are besides the first, which details list. */
function furtherText({ issues }: { readonly issues: readonly unknown[] }): string {
  const further = issues.length - 1
  if (further === 0) return ''
  return issues.length < issuesMax ? ` (and ${further} more)` : ` (and at least ${further} more)`
}

/** The first issue of details whose issues are sentences, in one short line; undefined where there is none. */
function firstIssueText(details: unknown): string | undefined {
  const { issues } = (details ?? {}) as { issues?: unknown }
  const [first] = (Array.isArray(issues) ? issues : []) as NamedIssue[]
  if (typeof first?.message !== 'string') return undefined
  const line = first.message.replace(/\.$/, '').replace(unshowable, ' ')
  return line.length > lineMax ? `${line.slice(0, lineMax)}…` : line
}

const wholeRequest = 'The request'

function sentence(path: unknown, predicate: string): string {
  const name = nameOf(path)
  if (name === wholeRequest && predicate === 'is required') return `${name} needs a JSON body`
  return `${name} ${predicate}`
}

/** A field as JavaScript would reach it; the whole request where the path is empty. */
function nameOf(path: unknown): string {
  if (!Array.isArray(path) || path.length === 0) return wholeRequest
  const text = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('')
  return `\`${text.replace(/^\./, '')}\``
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
