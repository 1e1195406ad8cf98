import { type ErrorCode, SymbolonError } from '@symbolon/sdk/portal'

/** A failure in words: what it is, what to do, and the id that support asks for. */
export type Explanation = { title: string; advice: string; requestId?: string; issues: Issue[] }

/** What is wrong with one field; `path` is its name in the request. */
export type Issue = { path: string; message: string }

const advice: Partial<Record<ErrorCode, string>> = {
  invalid_request: 'Look at the fields and try again.',
  forbidden: 'Ask an owner or admin of this company, or for another role.',
  origin_not_allowed: 'Open the portal at its own address and try again.',
  not_found: 'It may have been removed meanwhile. Reload the page.',
  slug_taken: 'Choose another one: it names your company in addresses.',
  last_owner: 'Make somebody else an owner first.',
  organization_has_wallets: 'Keys cannot move between modes. Create another company for the other mode.',
  rate_limited: 'Wait a moment, then try again.',
  unavailable: 'A part of the platform is restarting. Try again in a few seconds.',
  idempotency_key_spent:
    'The first attempt worked, but its answer was lost. Rotate the key, or mint another.',
  internal: 'Try again. If it stays, tell whoever runs this platform the request id.',
}

/** Explains whatever a call has thrown. */
export function explainError(error: unknown): Explanation {
  if (!(error instanceof SymbolonError))
    return { title: 'Something went wrong in this page.', advice: 'Reload it and try again.', issues: [] }
  const known = (advice as Record<string, string | undefined>)[error.code]
  return {
    title: error.message,
    advice: known ?? (error.status === undefined ? 'Check your connection, then try again.' : ''),
    issues: issuesOf(error.details),
    ...(error.requestId !== undefined && { requestId: error.requestId }),
  }
}

/** What a refused request says of a field; undefined: nothing. */
export function issueOf(error: unknown, path: string): string | undefined {
  if (!(error instanceof SymbolonError)) return undefined
  return issuesOf(error.details).find((issue) => issue.path === path || issue.path.startsWith(`${path}.`))
    ?.message
}

function issuesOf(details: unknown): Issue[] {
  const found = (details as { issues?: unknown } | null | undefined)?.issues
  if (!Array.isArray(found)) return []
  return found.flatMap((issue: { path?: unknown; message?: unknown }) =>
    typeof issue.message === 'string'
      ? [
          {
            path: Array.isArray(issue.path) ? issue.path.join('.') : String(issue.path ?? ''),
            message: issue.message,
          },
        ]
      : [],
  )
}
