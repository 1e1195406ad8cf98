import { browser } from './adapters/browser.ts'
import type { PortalRoutes } from './generated/portal-routes.ts'
import type { Call } from './http/call.ts'
import { httpCall } from './http/http-call.ts'
import { failure, type Result, success } from './result.ts'
import type { AuditKeys } from './verify.ts'

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
  /** The first so many lines of the audit log as they arrive (NDJSON). */
  readonly exportAudit: (
    orgID: string,
    treeSize: number,
    signal?: AbortSignal,
  ) => Promise<Result<ReadableStream<Uint8Array>>>
  /** The keys that the platform signs checkpoints with. */
  readonly platformKeys: () => Promise<Result<AuditKeys>>
}

/** Makes the client of the portal; it works only in pages of the platform itself. */
export function createPortalClient({
  baseUrl,
  fetch: get = browser().fetch,
}: {
  readonly baseUrl: string
  readonly fetch?: typeof globalThis.fetch
}): PortalClient {
  return {
    call: httpCall<PortalRoutes>({ baseUrl, fetch: get, headers: () => ({}), areCookiesSent: true }),
    async exportAudit(orgID, treeSize, signal) {
      try {
        const at = `${baseUrl}/v1/orgs/${encodeURIComponent(orgID)}/audit/export?tree_size=${treeSize}`
        const response = await get(at, { cache: 'no-store', ...(signal !== undefined && { signal }) })
        if (response.ok && response.body !== null) return { data: response.body, error: null }
        return failure('export_failed', 'The audit log could not be exported. Try again.', {
          status: response.status,
        })
      } catch {
        return unreachable()
      }
    },
    async platformKeys() {
      try {
        const response = await get(`${baseUrl}/.well-known/jwks.json`, { cache: 'no-store' })
        if (response.ok) return success((await response.json()) as AuditKeys)
        return failure('keys_failed', 'The keys could not be loaded. Try again.', {
          status: response.status,
        })
      } catch {
        return unreachable()
      }
    },
  }
}

const unreachable = () => failure('network_failed', 'The service could not be reached. Try again.')
