import { apiKeysRoutes } from '../features/api-keys/api-keys.routes.ts'
import { auditRoutes } from '../features/audit/audit.routes.ts'
import type { Audit } from '../features/audit/audit.ts'
import { auditList } from '../features/audit/audit-list.ts'
import { auditProofs } from '../features/audit/audit-proofs.ts'
import { type AuditTreeWorker, auditTreeWorker } from '../features/audit/audit-tree-worker.ts'
import { endUsersRoutes } from '../features/end-users/end-users.routes.ts'
import type { PlatformKey } from '../features/jwks/platform-key.ts'
import { membersRoutes } from '../features/members/members.routes.ts'
import { membersStore } from '../features/members/members.store.ts'
import { members } from '../features/members/members.ts'
import { orgModes } from '../features/orgs/org-modes.ts'
import { orgProfiles } from '../features/orgs/org-profiles.ts'
import type { OrgSettings } from '../features/orgs/org-settings.ts'
import { orgsRoutes } from '../features/orgs/orgs.routes.ts'
import type { RecoveryModes } from '../features/orgs/recovery-mode.ts'
import { enqueue } from '../features/outbox/enqueue.ts'
import { portalRoutes } from '../features/portal/portal.routes.ts'
import { type NewSession, portalLogin, sessionLifetimeMs } from '../features/portal/portal-login.ts'
import { portalUsersStore } from '../features/portal/portal-users.store.ts'
import { usageRoutes } from '../features/usage/usage.routes.ts'
import { usage } from '../features/usage/usage.ts'
import { webhooksRoutes } from '../features/webhooks/webhooks.routes.ts'
import type { Webhooks } from '../features/webhooks/webhooks.ts'
import type { Bound } from '../http/handler.ts'
import type { Limiter } from '../http/limiter.ts'
import { setCookie } from '../http/session-cookie.ts'
import type { Ports } from './app-ports.ts'
import type { Mailroom } from './outbox.ts'

/** What the portal's half of the service is wired from. */
export type PortalParts = {
  ports: Ports
  audit: Audit
  limiter: Limiter
  mailroom: Mailroom
  mode: RecoveryModes
  settings: OrgSettings
  webhooks: Webhooks
  hashToken: (token: string) => Uint8Array
  baseUrl: string
  key: PlatformKey
}

/** Ways into the portal that development alone has: addresses are as `Email` parses them. */
export type PortalAccess = {
  /** Opens a session for an address, without the identity provider; `cookie` is the `Set-Cookie` value of it. */
  openSession(email: string): Promise<Omit<NewSession, 'token'> & { cookie: string }>
  /** Makes the person with this address the owner of an organization, if it has no member yet. */
  adopt(organizationId: string, email: string): Promise<void>
}

/** The portal's half of the service. */
export type Portal = { bound: Bound[]; access: PortalAccess; treeWorker: AuditTreeWorker }

/** Wires what developers use: login, companies, members, keys, webhook, users, usage, the audit log. */
export function wirePortal(parts: PortalParts): Portal {
  const { ports, audit, mailroom, hashToken, baseUrl } = parts
  const { sql, ids, random, clock, log } = ports
  const { mails, ownerMails } = mailroom
  const login = portalLogin({
    sql,
    ids,
    random,
    hashToken,
    identityProvider: ports.identityProvider,
    redirectUri: `${baseUrl}/v1/auth/callback`,
  })
  const { host } = new URL(baseUrl)
  const bound = [
    ...portalRoutes(login, parts.limiter, log),
    ...orgsRoutes({
      profiles: orgProfiles({ sql, ids, audit, insertMember: membersStore.insert }),
      settings: parts.settings,
      modes: orgModes({ sql, audit, notices: ownerMails, mayCall: ports.outbound.allows }),
      recoveryMode: parts.mode,
    }),
    ...membersRoutes(
      members({
        sql,
        ids,
        audit,
        notices: ownerMails,
        outbox: mails,
        queueMail: (tx, row) => enqueue(tx, 'mail', row),
        findUser: portalUsersStore.ofEmail,
        portalUrl: `${baseUrl}/portal`,
      }),
    ),
    ...apiKeysRoutes({ sql, ids, random, hashToken, audit, notices: ownerMails }),
    ...webhooksRoutes(parts.webhooks),
    ...endUsersRoutes(sql),
    ...usageRoutes(usage({ sql })),
    ...auditRoutes(auditList(sql), auditProofs({ sql, clock, host, key: parts.key })),
  ]
  return {
    bound,
    treeWorker: auditTreeWorker({ sql, clock, log }),
    access: {
      async openSession(email) {
        const { token, ...session } = await login.openFor(email)
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
