import { createHmac } from 'node:crypto'
import { openapi } from '@symbolon/api/openapi'
import type { FastifyInstance } from 'fastify'
import type { Secrets } from './adapters/secrets-file.ts'
import type { Sql } from './db/pool.ts'
import { auditWriter } from './features/audit/audit-writer.ts'
import { authRoutes } from './features/auth/auth.routes.ts'
import { authStore } from './features/auth/auth.store.ts'
import { auth } from './features/auth/auth.ts'
import { drawCode } from './features/auth/email-code.ts'
import { oidc } from './features/auth/oidc.ts'
import { serviceTokens } from './features/auth/service-token.ts'
import { userTokens } from './features/auth/user-tokens.ts'
import { chainsRoutes } from './features/chains/chains.routes.ts'
import { broadcasts } from './features/evm/broadcasts.ts'
import { evmRoutes } from './features/evm/evm.routes.ts'
import { evm } from './features/evm/evm.ts'
import { healthRoutes } from './features/health/health.routes.ts'
import { health, type Probe } from './features/health/health.ts'
import { jwksRoutes } from './features/jwks/jwks.routes.ts'
import { platformKey } from './features/jwks/platform-key.ts'
import { orgs } from './features/orgs/orgs.ts'
import { recoveryMode } from './features/orgs/recovery-mode.ts'
import { outbox } from './features/outbox/outbox.ts'
import { outboxWorker } from './features/outbox/outbox-worker.ts'
import { localRecoveryShares } from './features/recovery/local-recovery-shares.ts'
import { recoveryRoutes } from './features/recovery/recovery.routes.ts'
import { recovery } from './features/recovery/recovery.ts'
import { recoveryShares } from './features/recovery/recovery-shares.ts'
import { shareEnvelopes } from './features/shares/share-envelopes.ts'
import { readSharePair } from './features/shares/share-pair.ts'
import { sharesRoutes } from './features/shares/shares.routes.ts'
import { shares } from './features/shares/shares.ts'
import { walletSharesStore } from './features/shares/wallet-shares.store.ts'
import { signingRoutes } from './features/signing/signing.routes.ts'
import { signing } from './features/signing/signing.ts'
import { signingWalletsStore } from './features/signing/signing-wallets.store.ts'
import { signingWallets } from './features/signing/signing-wallets.ts'
import { smartAccountsRoutes } from './features/smart-accounts/smart-accounts.routes.ts'
import { smartAccounts } from './features/smart-accounts/smart-accounts.ts'
import { sweeper } from './features/sweep/sweep.ts'
import { sponsorSpending } from './features/userops/sponsorship.store.ts'
import { monthlyCapMicro } from './features/userops/sponsorship.ts'
import { useropsRoutes } from './features/userops/userops.routes.ts'
import { type UserOpTimes, userops } from './features/userops/userops.ts'
import { clientWalletMaker } from './features/wallets/client-wallet.ts'
import { enabledCurves } from './features/wallets/enabled-curves.ts'
import { evmWalletsStore } from './features/wallets/evm-wallets.store.ts'
import { teeWalletMaker } from './features/wallets/tee-wallet.ts'
import { walletOwners } from './features/wallets/wallet-owners.ts'
import { walletsRoutes } from './features/wallets/wallets.routes.ts'
import { wallets } from './features/wallets/wallets.ts'
import { type WebhookMessage, webhookCalls } from './features/webhooks/webhook-calls.ts'
import { deliverNotice, webhookShares } from './features/webhooks/webhook-shares.ts'
import { type Webhooks, webhooks } from './features/webhooks/webhooks.ts'
import { idempotency } from './http/idempotency.ts'
import { credentialLanes } from './http/lanes.ts'
import { databaseLimiter } from './http/limiter.ts'
import type { OriginRules } from './http/origin.ts'
import { type HttpMetrics, httpServer } from './http/server.ts'
import type { ChainMetrics } from './ports/chain-metrics.ts'
import type { Clock, Ids } from './ports/clock.ts'
import type { Enclave } from './ports/enclave.ts'
import type { EvmChains } from './ports/evm-chains.ts'
import type { IssuerKeys } from './ports/issuer-keys.ts'
import type { Kms } from './ports/kms.ts'
import type { Log } from './ports/log.ts'
import type { Mailer } from './ports/mailer.ts'
import type { GuardedOutbound } from './ports/outbound.ts'
import type { Prices } from './ports/prices.ts'
import type { Random } from './ports/random.ts'

/** Everything the service needs from outside. */
export type Ports = {
  sql: Sql
  kms: Kms
  enclave: Enclave
  mailer: Mailer
  issuerKeys: IssuerKeys
  outbound: GuardedOutbound
  evm: EvmChains
  prices: Prices
  chainMetrics: ChainMetrics
  secrets: Secrets
  clock: Clock
  ids: Ids
  random: Random
  /** In 0..1, for jitter. */
  jitter: () => number
  log: Log
  metrics: HttpMetrics
}

/** What differs between an installation, development and a test. */
export type AppOptions = {
  baseUrl: string
  originRules: OriginRules
  trustedProxies: readonly string[]
  areAnswersChecked: boolean
  /** The usual ones when absent. */
  userOpTimes?: UserOpTimes
  /** Further parts that `/v1/ready` waits for. */
  probes?: Record<string, Probe>
}

/** The wired service, not yet listening. */
export type App = {
  http: FastifyInstance
  orgs: ReturnType<typeof orgs>
  recoveryMode: ReturnType<typeof recoveryMode>
  webhooks: Webhooks
  /** Starts what runs beside the requests: outbox, sweeper, broadcasts, settlement. */
  start(): void
  /** Ends it, and waits for what is under way. */
  stop(): Promise<void>
}

/** The whole service from its ports: `main.ts` gives it the real ones, a test its own. The only wiring. */
export function createApp(ports: Ports, options: AppOptions): App {
  const { sql, kms, enclave, secrets, clock, ids, random, log } = ports
  const { pepper } = secrets
  const hashToken = (token: string) => createHmac('sha256', pepper).update(token).digest()

  const audit = auditWriter({ sql, ids, log })
  const limiter = databaseLimiter(sql)
  const service = serviceTokens({ baseUrl: options.baseUrl, masters: secrets.masters })
  const oidcTokens = oidc({
    issuerKeys: ports.issuerKeys,
    upsertIdentity: async (organizationId, user) => ({
      id: await authStore.upsertOidcIdentity(sql, organizationId, { newIdentityId: ids.next(), user }),
      authProvider: 'oidc',
      providerUserId: user.subject,
      email: user.email,
    }),
  })
  const mails = outbox({ master: pepper, kind: 'mail', ids, onNudge: () => mailWorker.nudge() })
  const mailWorker = outboxWorker({
    sql,
    kind: 'mail',
    deliver: (row) => ports.mailer.send(mails.open(row)),
    log,
    random: ports.jitter,
  })
  const mode = recoveryMode({ sql, audit })
  const signatures = platformKey(pepper)
  const calls = webhookCalls({ sql, kms, outbound: ports.outbound, clock, sign: signatures.sign, log })
  const notices = outbox<WebhookMessage>({
    master: pepper,
    kind: 'webhook',
    ids,
    onNudge: () => webhookWorker.nudge(),
  })
  const webhookWorker = outboxWorker({
    sql,
    kind: 'webhook',
    deliver: (row) => deliverNotice(calls, notices.open(row)),
    log,
    random: ports.jitter,
  })
  const provider = shareEnvelopes(kms, 'provider')
  const stores = recoveryShares({
    modeOf: mode.of,
    local: localRecoveryShares({ sql, ids, envelopes: shareEnvelopes(kms, 'recovery') }),
    webhook: webhookShares({ calls, notices, ids, clock }),
  })
  const sweeping = sweeper({ sql, log })
  const evmWallets = evmWalletsStore(sql)
  const sending = broadcasts({ sql, chains: ports.evm, audit, log })
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
      ...walletsRoutes(
        wallets({
          sql,
          audit,
          makeTeeWallet: teeWalletMaker({ enclave, kms, ids }),
          makeClientWallet: clientWalletMaker({ ids, provider, recoveryShares: stores, readSharePair }),
          insertShares: walletSharesStore.insert,
          findOwner: walletOwners({ sql, ids }),
        }),
      ),
      ...sharesRoutes(shares({ sql, audit, provider, enabledCurves })),
      ...recoveryRoutes(
        recovery({
          sql,
          pepper,
          random,
          ids,
          audit,
          outbox: mails,
          limiter,
          walletShares: walletSharesStore,
          provider,
          recoveryShares: stores,
          readSharePair,
          drawCode: () => drawCode(random),
          enabledCurves,
        }),
      ),
      ...signingRoutes(
        signing({
          walletIds: {
            of: (organization, identity, curve) =>
              signingWalletsStore.idOf(sql, organization, identity, curve),
          },
          wallets: signingWallets({ sql, kms }),
          enclave,
          audit,
          random,
        }),
      ),
      // Without a chain there is nothing here: 404 (HTTP API "EVM transactions").
      ...(ports.evm.size === 0
        ? []
        : evmRoutes(evm({ chains: ports.evm, wallets: evmWallets, audit, broadcasts: sending, ids }))),
      ...smartAccountsRoutes(
        smartAccounts({
          sql,
          ids,
          wallets: evmWallets,
          chains: ports.evm,
          audit,
          spending: sponsorSpending,
          capMicro: monthlyCapMicro,
        }),
      ),
      ...useropsRoutes(operations),
      ...chainsRoutes(ports.evm),
    ],
    lanes: credentialLanes({
      sql,
      limiter,
      userTokens: userTokens({ service, oidc: oidcTokens }),
      hashToken,
      originRules: options.originRules,
    }),
    idempotency: idempotency({ sql, master: pepper, ids }),
    ids,
    log,
    metrics: ports.metrics,
    trustedProxies: options.trustedProxies,
    areAnswersChecked: options.areAnswersChecked,
  })

  // A closing server waits for its requests: those that wait for a chain are told where things stand.
  http.addHook('preClose', async () => operations.stopWaiting())

  return {
    http,
    orgs: orgs({ sql, ids, random, hashToken }),
    recoveryMode: mode,
    webhooks: webhooks({ sql, kms, audit, random, ids, clock, calls, mayCall: ports.outbound.allows }),
    start() {
      mailWorker.start()
      webhookWorker.start()
      sweeping.start()
      sending.start()
      operations.worker.start()
    },
    async stop() {
      await Promise.all([
        mailWorker.stop(),
        webhookWorker.stop(),
        sweeping.stop(),
        sending.stop(),
        operations.worker.stop(),
      ])
    },
  }
}
