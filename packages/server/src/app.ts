import { createHmac } from 'node:crypto'
import { ApiError } from '@symbolon/api'
import type { FastifyInstance } from 'fastify'
import { type Attempts, attempts, journaled } from './db/attempts.ts'
import { insertApiKey, type MintedKey, type StoredKey } from './features/api-keys/api-keys.ts'
import { receiptKeys } from './features/attestation/attestation.ts'
import { auditWriter } from './features/audit/audit-writer.ts'
import { enclaveNotesJob, marksJobs } from './features/custody/index.ts'
import { forgetDevice } from './features/devices/forget-device.ts'
import { mountDocsSite } from './features/docs-site/docs-site.routes.ts'
import { mountFrame } from './features/frame/frame.routes.ts'
import type { EnclavePins } from './features/frame/frame.ts'
import { platformKey } from './features/jwks/platform-key.ts'
import { mountMailedLinks } from './features/mailed-links/mailed-links.routes.ts'
import { updateSettings } from './features/orgs/org-settings.ts'
import { createOrganization, type NewOrganization, type OrgsCtx } from './features/orgs/orgs.ts'
import { recoveryModeOf, setRecoveryMode } from './features/orgs/recovery-mode.ts'
import { mountPortalApp } from './features/portal/portal-app.routes.ts'
import { mountTools } from './features/portal/tools.routes.ts'
import { type ProcessHeartbeat, processHeartbeat } from './features/processes/process-heartbeat.ts'
import { lostReceiptsJob } from './features/receipts/lost-receipts.ts'
import { retentionJob } from './features/retention/retention-job.ts'
import { cancelBegun } from './features/wallets/delay/cancel-begun.ts'
import { cancelLinks } from './features/wallets/delay/cancel-links.ts'
import type { WebhooksCtx } from './features/webhooks/webhooks.ts'
import { idempotency } from './http/idempotency.ts'
import { databaseLimiter } from './http/limiter.ts'
import { busy } from './http/log-failure.ts'
import { httpServer } from './http/server.ts'
import { fairPlaces } from './runtime/fair-places.ts'
import { fairTurns } from './runtime/fair-turns.ts'
import { wireAccess } from './wiring/access.ts'
import { wireAgents } from './wiring/agents.ts'
import type { AppOptions, Ports } from './wiring/app-ports.ts'
import { wireEvm } from './wiring/evm.ts'
import { wireOutboxes } from './wiring/outbox.ts'
import { type PortalAccess, wirePortal } from './wiring/portal.ts'
import { wireTransactions } from './wiring/transactions.ts'
import { wireCustody } from './wiring/wallets.ts'

export type { AppOptions, Ports } from './wiring/app-ports.ts'

type Tail<all extends unknown[]> = all extends [unknown, ...infer rest] ? rest : never

/** What development and tests do to organizations without a portal user. */
export type OrganizationAccess = {
  create(organization: NewOrganization): Promise<{ id: string }>
  mintKey(organizationId: string, key: StoredKey): Promise<MintedKey>
  recoveryModeOf(organizationId: string): ReturnType<typeof recoveryModeOf>
  setRecoveryMode(...given: Tail<Parameters<typeof setRecoveryMode>>): ReturnType<typeof setRecoveryMode>
  updateSettings(...given: Tail<Parameters<typeof updateSettings>>): ReturnType<typeof updateSettings>
}

/** The wired service, not yet listening. */
export type App = {
  http: FastifyInstance
  orgs: OrganizationAccess
  webhooks: WebhooksCtx
  portal: PortalAccess
  heartbeat: ProcessHeartbeat
  /** The `kid`s of the keys that the platform vouches with. */
  keyIds: readonly string[]
  /** Starts what runs beside the requests: outboxes, retention job, broadcasts, settlement, hashing of the audit logs. */
  start(): void
  /** Ends it, and waits for what is under way. */
  stop(): Promise<void>
}

/** Builds the whole service from its ports: `start-server.ts` passes the real ones, tests their own. */
export function createApp(given: Ports, options: AppOptions): App {
  const running = attempts()
  const ports = { ...given, sql: journaled(given.sql, running) }
  const { sql, ids, random, log } = ports
  const shared = wireShared(ports, options, running)
  const roofs = wireRoofs(ports, options, shared)
  const { access, custody, agents, evm, portal } = roofs
  // By the names of `due_work`.
  const woken = {
    outbox: shared.outboxes,
    agents,
    transactions: shared.transactions.broadcaster,
    operations: evm.operations.worker,
    trees: portal.treeWorker,
    receipts: lostReceiptsJob({ sql, audit: shared.audit }, log),
    notes: enclaveNotesJob({ sql, enclave: ports.enclave }, log),
  }
  const heartbeat = processHeartbeat({
    sql,
    log,
    table: ports.processTable,
    processId: shared.processId,
    turns: options.beatTurns,
    wake(names) {
      for (const [name, worker] of Object.entries(woken)) if (names?.includes(name) !== false) worker.nudge()
    },
  })
  const http = httpServer({
    bound: [...access.bound, ...custody.bound, ...agents.bound, ...evm.bound, ...portal.bound],
    authSchemes: access.authSchemes,
    idempotency: shared.idempotency,
    limiter: shared.limiter,
    fair: shared,
    ids,
    log,
    metrics: ports.metrics,
    trustedProxies: options.trustedProxies,
    answeredHosts: options.answeredHosts,
    areAnswersChecked: options.areAnswersChecked,
    isSecure: options.baseUrl.startsWith('https:'),
  })
  mountPages(http, ports, options, shared)
  // A closing server waits for its requests: those that wait for a chain are answered with what is known.
  http.addHook('preClose', async () => evm.operations.stopWaiting())

  return {
    http,
    orgs: organizationAccess(shared.orgs, { ids, random, hashToken: shared.hashToken }),
    webhooks: shared.webhooks,
    portal: portal.access,
    heartbeat,
    keyIds: [shared.key.jwk.kid],
    ...workersOf([
      heartbeat,
      ...Object.values(woken),
      ...marksJobs({ sql, enclave: ports.enclave, audit: shared.audit }, log),
      retentionJob({ sql, log, ...(options.runDays !== undefined && { runDays: options.runDays }) }),
    ]),
  }
}

/** How processes share their time among organizations. */
const fairness = {
  nowMs: () => performance.now(),
  refuse: (retryAfterSeconds: number) => new ApiError('unavailable', { retryAfterSeconds, detail: busy }),
}

/** The dependencies that all roofs share. */
function wireShared(ports: Ports, { baseUrl, highRiskDelaySeconds = 0 }: AppOptions, running: Attempts) {
  const { sql, enclave, secrets, ids, random, log, outbound } = ports
  const key = platformKey(secrets.pepper)
  const audit = auditWriter({ sql, ids, log, attempts: running })
  const processId = ids.next()
  const outboxes = wireOutboxes(ports, key.sign, processId)
  const { ownerNotices: notices, calls } = outboxes
  const hashToken = (token: string) => createHmac('sha256', secrets.pepper).update(token).digest()
  const links = { random, hashToken, baseUrl }
  return {
    key,
    audit,
    outboxes,
    processId,
    attempts: running,
    limiter: databaseLimiter(sql),
    receipts: { audit, keys: receiptKeys({ sql, enclave }) },
    turns: fairTurns(fairness),
    places: fairPlaces(fairness),
    onBehalfOf: sql.onBehalfOf,
    idempotency: idempotency({ sql, master: secrets.pepper, ids, processId, attempts: running }),
    hashToken,
    links,
    devices: { ids, pepper: secrets.pepper, links, outbox: outboxes.mails },
    linkActions: { 'forget-device': forgetDevice(audit, cancelBegun(audit)), ...cancelLinks(audit) },
    orgs: { sql, ids, audit, notices, mayCall: outbound.allows, highRiskDelaySeconds },
    webhooks: { sql, audit, notices, random, calls },
    transactions: wireTransactions(ports, audit, processId),
  }
}

/** The roofs, each from its ports and those before it. */
function wireRoofs(ports: Ports, options: AppOptions, shared: ReturnType<typeof wireShared>) {
  const parts = { ports, options, ...shared }
  const portal = wirePortal({ ...parts, baseUrl: options.baseUrl })
  const custody = wireCustody(parts)
  const evm = wireEvm(parts)
  const { operations, accounts } = evm
  const agents = wireAgents({ ...parts, custody, operations, accounts })
  const access = wireAccess({ ...parts, delegates: agents.delegates })
  return { portal, custody, evm, agents, access }
}

const workersOf = (workers: readonly Pick<App, 'start' | 'stop'>[]): Pick<App, 'start' | 'stop'> => ({
  start() {
    for (const worker of workers) worker.start()
  },
  async stop() {
    await Promise.all(workers.map((worker) => worker.stop()))
  },
})

const noEnclave: EnclavePins = { measurements: [] }

/** Mounts what browsers load beside the API: wallet frame, tools, portal and documentation. */
function mountPages(
  http: FastifyInstance,
  ports: Ports,
  { baseUrl, originRules, framePort, homePath, enclavePins = noEnclave }: AppOptions,
  { hashToken, linkActions: actions }: ReturnType<typeof wireShared>,
): void {
  mountMailedLinks(http, { sql: ports.sql, hashToken, actions })
  mountFrame(
    http,
    { sql: ports.sql, assets: ports.browserAssets, hashToken, originRules, homePath, enclavePins },
    framePort,
  )
  mountTools(http, ports.tools)
  mountPortalApp(http, { assets: ports.portalAssets, baseUrl })
  mountDocsSite(http, { docs: ports.docs, baseUrl })
}

const organizationAccess = (
  ctx: OrgsCtx,
  minting: Parameters<typeof insertApiKey>[0],
): OrganizationAccess => ({
  create: (organization) => createOrganization(ctx, organization),
  mintKey: (organizationId, key) => insertApiKey(minting, ctx.sql, organizationId, key),
  recoveryModeOf: (organizationId) => recoveryModeOf(ctx.sql, organizationId),
  setRecoveryMode: (...given) => setRecoveryMode(ctx, ...given),
  updateSettings: (...given) => updateSettings(ctx, ...given),
})
