import { apiKeysRoutes } from '../features/api-keys/api-keys.routes.ts'
import { auditRoutes } from '../features/audit/audit.routes.ts'
import type { Audit } from '../features/audit/audit.ts'
import { auditList } from '../features/audit/audit-list.ts'
import { type AuditTreeWorker, auditTreeWorker } from '../features/audit/audit-tree-worker.ts'
import { endUsersRoutes } from '../features/end-users/end-users.routes.ts'
import type { PlatformKey } from '../features/jwks/platform-key.ts'
import { membersStore, portalUsersStore } from '../features/members/index.ts'
import { membersRoutes } from '../features/members/members.routes.ts'
import { orgsRoutes } from '../features/orgs/orgs.routes.ts'
import type { OrgsCtx } from '../features/orgs/orgs.ts'
import { portalRoutes } from '../features/portal/portal.routes.ts'
import { type NewSession, openSession, sessionLifetimeMs } from '../features/portal/portal-login.ts'
import { usageRoutes } from '../features/usage/usage.routes.ts'
import { webhooksRoutes } from '../features/webhooks/webhooks.routes.ts'
import type { WebhooksCtx } from '../features/webhooks/webhooks.ts'
import type { Bound } from '../http/handler.ts'
import type { Limiter } from '../http/limiter.ts'
import { setCookie } from '../http/session-cookie.ts'
import type { Ports } from './app-ports.ts'
import type { Outboxes } from './outbox.ts'

/** What the portal's part of the service is built from. */
export type PortalParts = {
  ports: Ports
  audit: Audit
  limiter: Limiter
  outboxes: Outboxes
  orgs: OrgsCtx
  webhooks: WebhooksCtx
  hashToken: (token: string) => Uint8Array
  baseUrl: string
  key: PlatformKey
}

/** Ways into the portal for development; addresses are as `Email` parses them. */
export type PortalAccess = {
  /** Opens a session for an address, without the identity provider; `cookie` is its `Set-Cookie` value. */
  openSession(email: string): Promise<Omit<NewSession, 'token'> & { cookie: string }>
  /** Makes the person with this address the owner of an organization, if it has no member yet. */
  adopt(organizationId: string, email: string): Promise<void>
}

/** The portal's part of the service. */
export type Portal = { bound: Bound[]; access: PortalAccess; treeWorker: AuditTreeWorker }

/** Builds what developers use: login, companies, members, keys, webhook, users, usage, the audit log. */
export function wirePortal(parts: PortalParts): Portal {
  const { ports, audit, hashToken, baseUrl } = parts
  const { sql, ids, random, clock, log, identityProvider } = ports
  const { mails, ownerNotices: notices } = parts.outboxes
  const redirectUri = `${baseUrl}/v1/auth/callback`
  const portalUrl = `${baseUrl}/portal`
  const { host } = new URL(baseUrl)
  const sessions = { sql, ids, random, hashToken }
  return {
    bound: [
      ...portalRoutes({ ...sessions, identityProvider, redirectUri }, parts.limiter, log),
      ...orgsRoutes(parts.orgs),
      ...membersRoutes({ sql, ids, audit, notices, outbox: mails, portalUrl }),
      ...apiKeysRoutes({ sql, ids, random, hashToken, audit, notices }),
      ...webhooksRoutes(parts.webhooks),
      ...endUsersRoutes(sql),
      ...usageRoutes(sql),
      ...auditRoutes(auditList(sql), { sql, clock, host, key: parts.key }),
    ],
    treeWorker: auditTreeWorker({ sql, clock, log }),
    access: {
      async openSession(email) {
        const user = await portalUsersStore.ofEmail(sql, ids.next(), email)
        const { token, ...session } = await openSession(sessions, user)
        const maxAgeSeconds = sessionLifetimeMs / 1_000
        const isSecure = baseUrl.startsWith('https:')
        return { ...session, cookie: setCookie('session', token, { isSecure, maxAgeSeconds }) }
      },
      async adopt(organizationId, email) {
        const user = await portalUsersStore.ofEmail(sql, ids.next(), email)
        await membersStore.insertFirst(sql, { id: ids.next(), organizationId, userId: user.id })
      },
    },
  }
}
