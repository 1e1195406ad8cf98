import type { Result } from '../result.ts'

/** What one attempt came to. */
export type Attempt = { readonly result: Result<unknown>; readonly retryAfterMs?: number }
