import { browser } from './adapters/browser.ts'
import type { PortalRoutes } from './generated/portal-routes.ts'
import type { Call } from './http/call.ts'
import { httpCall } from './http/http-call.ts'
import { failure, type Result } from './result.ts'

export type * from './generated/answers.ts'
export type * from './generated/backend-answers.ts'
export type * from './generated/error-code.ts'
export type * from './generated/portal-answers.ts'
export type * from './generated/portal-requests.ts'
export type * from './generated/portal-routes.ts'
export { type Result, type SdkError, SymbolonError, unwrap } from './result.ts'

/** Calls of the portal's routes by the session cookie of the page's own origin. */
export type PortalClient = {
  readonly call: Call<PortalRoutes>
  /** The lines of the audit log as they arrive (NDJSON), closed by a line with the checkpoint they belong to. */
  readonly exportAudit: (orgID: string, signal?: AbortSignal) => Promise<Result<ReadableStream<Uint8Array>>>
}

/** Makes the client of the portal; it works only in pages of the platform itself. */
export function createPortalClient({
  baseUrl,
  fetch = browser().fetch,
}: {
  readonly baseUrl: string
  readonly fetch?: typeof globalThis.fetch
}): PortalClient {
  return {
    call: httpCall<PortalRoutes>({ baseUrl, fetch, headers: () => ({}), areCookiesSent: true }),
    async exportAudit(orgID, signal) {
      try {
        const at = `${baseUrl}/v1/orgs/${encodeURIComponent(orgID)}/audit/export?checkpoint=true`
        const response = await fetch(at, { cache: 'no-store', ...(signal !== undefined && { signal }) })
        if (response.ok && response.body !== null) return { data: response.body, error: null }
        return failure('export_failed', 'The audit log could not be exported. Try again.', {
          status: response.status,
        })
      } catch {
        return failure('network_failed', 'The service could not be reached. Try again.')
      }
    },
  }
}
