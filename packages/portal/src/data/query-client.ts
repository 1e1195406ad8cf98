import { SymbolonError } from '@symbolon/sdk/portal'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'

/** Whether a call failed because nobody is logged in any more. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof SymbolonError && error.status === 401
}

/** A session that ended anywhere shows the sign-in page in place; what was typed stays until then. */
function onError(error: unknown): void {
  if (isSignedOut(error)) queryClient.setQueryData(['session'], null)
}

/** The answers that this page has; the client of the API repeats by itself, so nothing is repeated here. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: { queries: { retry: false, staleTime: 10_000 }, mutations: { retry: false } },
})
