import { type ErrorCode, SymbolonError } from '@symbolon/sdk/portal'

/** A failure in words: what happened, what to do, and the request ID for support. */
export type Explanation = { title: string; advice: string; requestId?: string; issues: Issue[] }

/** The problem with one field; `path` is its name in the request. */
export type Issue = { path: string; message: string }

const advice: Partial<Record<ErrorCode, string>> = {
  invalid_request: 'Check the fields and try again.',
  forbidden: 'Ask an owner or admin of this company to do it, or to change your role.',
  origin_not_allowed: 'Open the portal at its own address and try again.',
  not_found: 'It may have been removed. Reload the page.',
  slug_taken: 'Choose another one.',
  last_owner: 'Make another member an owner first.',
  organization_has_wallets: 'Wallets can’t move between modes. Create another company for the other mode.',
  rate_limited: 'Wait a moment, then try again.',
  unavailable: 'Part of the platform is restarting. Try again in a few seconds.',
  idempotency_key_spent:
    'The first request worked, but its response was lost. Rotate the key, or create another one.',
  internal: 'Try again. If it keeps failing, send the request ID to the operator of this platform.',
}

/** Explains an error that a call threw. */
export function explainError(error: unknown): Explanation {
  if (!(error instanceof SymbolonError))
    return { title: 'Something went wrong on this page.', advice: 'Reload it and try again.', issues: [] }
  const known = (advice as Record<string, string | undefined>)[error.code]
  return {
    title: error.message,
    advice: known ?? (error.status === undefined ? 'Check your connection, then try again.' : ''),
    issues: issuesOf(error.details),
    ...(error.requestId !== undefined && { requestId: error.requestId }),
  }
}

/** What a refused request says about a field, if anything. */
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
            // The field is shown beside it.
            message: issue.message.replace(/^`[^`]*` /, ''),
          },
        ]
      : [],
  )
}
