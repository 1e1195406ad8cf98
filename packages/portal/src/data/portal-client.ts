import { createPortalClient, type PortalRoutes, unwrap } from '@symbolon/sdk/portal'

/** The client of this page; it authenticates with the session cookie. */
export const portalClient = createPortalClient({ baseUrl: '' })

/** The data that a route returns, by `METHOD /path`. */
export type Answer<at extends keyof PortalRoutes> = PortalRoutes[at]['data']

/** The body of a route. */
export type Body<at extends keyof PortalRoutes> = PortalRoutes[at] extends { body: infer body } ? body : never

/** The query of a route. */
export type Query<at extends keyof PortalRoutes> = PortalRoutes[at] extends { query: infer query }
  ? query
  : never

type Input<at extends keyof PortalRoutes> = Parameters<typeof portalClient.call<at>>[1]

/** The function of a query that calls a route and resolves with its data. */
export const get =
  <at extends keyof PortalRoutes>(at: at, input: Input<at>) =>
  async ({ signal }: { signal: AbortSignal }): Promise<Answer<at>> =>
    unwrap(await portalClient.call(at, { ...input, signal }))
