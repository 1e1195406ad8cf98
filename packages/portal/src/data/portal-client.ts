import { createPortalClient, type PortalRoutes } from '@symbolon/sdk/portal'

/** The calls of this page, by its session cookie. */
export const portalClient = createPortalClient({ baseUrl: '' })

/** What a route answers, by `METHOD /path`. */
export type Answer<at extends keyof PortalRoutes> = PortalRoutes[at]['data']

/** What a route takes as its body. */
export type Body<at extends keyof PortalRoutes> = PortalRoutes[at] extends { body: infer body } ? body : never

/** What a route takes in its query. */
export type Query<at extends keyof PortalRoutes> = PortalRoutes[at] extends { query: infer query }
  ? query
  : never
