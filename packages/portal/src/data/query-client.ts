import { SymbolonError } from '@symbolon/sdk/portal'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'

/** Whether a call failed because the session has ended. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof SymbolonError && error.status === 401
}

/**
 * The cache of API answers. It retries nothing, because the API client does. When a call finds that the session has ended,
 * the sign-in page replaces the current one.
 */
export function createQueryClient(): QueryClient {
  const onError = (error: unknown) => {
    if (isSignedOut(error)) client.setQueryData(['session'], null)
  }
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: { queries: { retry: false, staleTime: 10_000 }, mutations: { retry: false } },
  })
  return client
}
