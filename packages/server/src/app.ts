import { createHmac } from 'node:crypto'
import { openapi } from '@symbolon/api/openapi'
import type { FastifyInstance } from 'fastify'
import { auditWriter } from './features/audit/audit-writer.ts'
import { authRoutes } from './features/auth/auth.routes.ts'
import { auth } from './features/auth/auth.ts'
import { oidc } from './features/auth/oidc.ts'
import { oidcLogins } from './features/auth/oidc-logins.ts'
import { serviceTokens } from './features/auth/service-token.ts'
import { userTokens } from './features/auth/user-tokens.ts'
import { chainsRoutes } from './features/chains/chains.routes.ts'
import { mountDocsSite } from './features/docs-site/docs-site.routes.ts'
import { evmRoutes } from './features/evm/evm.routes.ts'
import { evm } from './features/evm/evm.ts'
import { mountFrame } from './features/frame/frame.routes.ts'
import { frame } from './features/frame/frame.ts'
import { healthRoutes } from './features/health/health.routes.ts'
import { health } from './features/health/health.ts'
import { jwksRoutes } from './features/jwks/jwks.routes.ts'
import { platformKey } from './features/jwks/platform-key.ts'
import { orgSettings } from './features/orgs/org-settings.ts'
import { orgs } from './features/orgs/orgs.ts'
import { recoveryMode } from './features/orgs/recovery-mode.ts'
import { mountPortalApp } from './features/portal/portal-app.routes.ts'
import { mountTools } from './features/portal/tools.routes.ts'
import { sweeper } from './features/retention/sweep.ts'
import { unscopedSigns } from './features/signing/unscoped-signs.ts'
import { smartAccountsRoutes } from './features/smart-accounts/smart-accounts.routes.ts'
import { smartAccounts } from './features/smart-accounts/smart-accounts.ts'
import { sponsorSpending } from './features/userops/sponsorship.store.ts'
import { monthlyCapMicro } from './features/userops/sponsorship.ts'
import { useropsRoutes } from './features/userops/userops.routes.ts'
import { userops } from './features/userops/userops.ts'
import { evmWalletsStore } from './features/wallets/core/evm-wallets.store.ts'
import { type Webhooks, webhooks } from './features/webhooks/webhooks.ts'
import { authSchemes } from './http/auth/auth-schemes.ts'
import { credentialLookups } from './http/auth/credential-lookups.ts'
import { type Idempotency, idempotency } from './http/idempotency.ts'
import { databaseLimiter } from './http/limiter.ts'
import { httpServer } from './http/server.ts'
import { wireAgents } from './wiring/agents.ts'
import type { AppOptions, Ports } from './wiring/app-ports.ts'
import { wireMailroom } from './wiring/outbox.ts'
import { type PortalAccess, wirePortal } from './wiring/portal.ts'
import { wireTransactions } from './wiring/transactions.ts'
import { wireCustody } from './wiring/wallets.ts'

export type { AppOptions, Ports } from './wiring/app-ports.ts'

/** The wired service, not yet listening. */
export type App = {
  http: FastifyInstance
  orgs: ReturnType<typeof orgs>
  recoveryMode: ReturnType<typeof recoveryMode>
  orgSettings: ReturnType<typeof orgSettings>
  webhooks: Webhooks
  portal: PortalAccess
  idempotency: Idempotency
  /** Starts what runs beside the requests: outboxes, sweeper, broadcasts, settlement, hashing of the audit logs. */
  start(): void
  /** Ends it, and waits for what is under way. */
  stop(): Promise<void>
}

/** The whole service from its ports: `main.ts` gives it the real ones, a test its own. The only wiring, with its four rooms. */
export function createApp(ports: Ports, options: AppOptions): App {
  const { sql, kms, enclave, secrets, clock, ids, random, log } = ports
  const { pepper } = secrets
  const hashToken = (token: string) => createHmac('sha256', pepper).update(token).digest()

  const audit = auditWriter({ sql, ids, log })
  const limiter = databaseLimiter(sql)
  const service = serviceTokens({ baseUrl: options.baseUrl, masters: secrets.masters })
  const oidcTokens = oidc({
    issuerKeys: ports.issuerKeys,
    logins: oidcLogins({ sql, ids, audit, limiter }),
  })
  const signatures = platformKey(pepper)
  const mailroom = wireMailroom(ports, signatures.sign)
  const { mails, ownerMails, calls } = mailroom
  const mode = recoveryMode({ sql, audit, notices: ownerMails })
  const settings = orgSettings({ sql, audit })
  const hooks = webhooks({
    sql,
    kms,
    audit,
    notices: ownerMails,
    random,
    ids,
    clock,
    calls,
    mayCall: ports.outbound.allows,
  })
  const portal = wirePortal({
    ports,
    audit,
    limiter,
    mailroom,
    mode,
    settings,
    webhooks: hooks,
    hashToken,
    baseUrl: options.baseUrl,
    key: signatures,
  })
  const sweeping = sweeper({ sql, log, ...(options.runDays !== undefined && { runDays: options.runDays }) })
  const evmWallets = evmWalletsStore(sql)
  const transactions = wireTransactions(ports, audit)
  const { broadcaster } = transactions
  const operations = userops({
    sql,
    evm: ports.evm,
    prices: ports.prices,
    random,
    ids,
    audit,
    metrics: ports.chainMetrics,
    log,
    ...(options.userOpTimes && { times: options.userOpTimes }),
  })

  const custody = wireCustody({ ports, audit, limiter, mailroom, mode })
  const accounts = smartAccounts({
    sql,
    ids,
    wallets: evmWallets,
    chains: ports.evm,
    audit,
    spending: sponsorSpending,
    capMicro: monthlyCapMicro,
  })
  const keys = idempotency({ sql, master: pepper, ids })
  const agents = wireAgents({
    ports,
    options,
    audit,
    custody,
    transactions,
    limiter,
    operations,
    accounts,
    key: signatures,
    hashToken,
    idempotency: keys,
  })

  const http = httpServer({
    bound: [
      ...healthRoutes(
        health({ sql, kms, enclave, ...(options.probes && { extra: options.probes }) }),
        () => openapi() as unknown as Record<string, unknown>,
      ),
      ...jwksRoutes(signatures),
      ...authRoutes(
        auth({ sql, pepper, random, ids, audit, outbox: mails, limiter, serviceTokens: service }),
      ),
      ...custody.bound,
      ...agents.bound,
      // Without a chain there is nothing here: 404 (HTTP API "EVM transactions").
      ...(ports.evm.size === 0
        ? []
        : evmRoutes(evm({ chains: ports.evm, wallets: evmWallets, audit, broadcaster, ids }))),
      ...smartAccountsRoutes(accounts),
      ...useropsRoutes(operations),
      ...chainsRoutes(ports.evm),
      ...portal.bound,
    ],
    authSchemes: authSchemes({
      find: credentialLookups(sql, hashToken),
      limiter,
      userTokens: userTokens({ service, oidc: oidcTokens }),
      delegates: agents.delegates,
      originRules: options.originRules,
      onUnscoped: unscopedSigns(audit),
    }),
    idempotency: keys,
    ids,
    log,
    metrics: ports.metrics,
    trustedProxies: options.trustedProxies,
    areAnswersChecked: options.areAnswersChecked,
    isSecure: options.baseUrl.startsWith('https:'),
  })

  mountFrame(
    http,
    frame({
      sql,
      assets: ports.browserAssets,
      hashToken,
      baseUrl: options.baseUrl,
      originRules: options.originRules,
    }),
  )
  mountTools(http, ports.tools)
  mountPortalApp(http, { assets: ports.portalAssets, baseUrl: options.baseUrl })
  mountDocsSite(http, { docs: ports.docs, baseUrl: options.baseUrl })
  // A closing server waits for its requests: those that wait for a chain are told where things stand.
  http.addHook('preClose', async () => operations.stopWaiting())

  return {
    http,
    orgs: orgs({ sql, ids, random, hashToken }),
    recoveryMode: mode,
    orgSettings: settings,
    webhooks: hooks,
    portal: portal.access,
    idempotency: keys,
    start() {
      mailroom.start()
      portal.treeWorker.start()
      agents.start()
      sweeping.start()
      broadcaster.start()
      operations.worker.start()
    },
    async stop() {
      await Promise.all([
        mailroom.stop(),
        portal.treeWorker.stop(),
        agents.stop(),
        sweeping.stop(),
        broadcaster.stop(),
        operations.worker.stop(),
      ])
    },
  }
}
