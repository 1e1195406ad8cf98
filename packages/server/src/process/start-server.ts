import cluster from 'node:cluster'
import { readFileSync } from 'node:fs'
import { closedPolicy, nitroPolicy, simulatedPolicy } from '@symbolon/crypto/attestation'
import type { FastifyInstance } from 'fastify'
import { buildVersion } from '../adapters/build-version.ts'
import { builtAssets, builtPlaces } from '../adapters/built-assets.ts'
import { builtDocs, docsFolder } from '../adapters/built-docs.ts'
import { builtPortal, portalFolder } from '../adapters/built-portal.ts'
import { builtTools, toolFiles } from '../adapters/built-tools.ts'
import { enclaveSocket } from '../adapters/enclave-socket.ts'
import { evmChainsHttp } from '../adapters/evm/evm-chains-http.ts'
import { identityProviderOpenid, noIdentityProvider } from '../adapters/identity-provider-openid.ts'
import { openKms } from '../adapters/kms/open-kms.ts'
import { pinoLog } from '../adapters/log-pino.ts'
import { mailSmtp } from '../adapters/mail-smtp.ts'
import { type Metrics, promMetrics } from '../adapters/metrics-prom.ts'
import { configuredModel } from '../adapters/models/configured-model.ts'
import { oidcIssuer } from '../adapters/oidc-issuer.ts'
import { outboundHttp } from '../adapters/outbound-http.ts'
import { configuredPrices } from '../adapters/prices/configured-prices.ts'
import { processTableOs } from '../adapters/process-table-os.ts'
import { openSecretsFile } from '../adapters/secrets-file.ts'
import { systemClock, systemIds, systemJitter, systemRandom } from '../adapters/system.ts'
import { type App, createApp, type Ports } from '../app.ts'
import type { Config } from '../config.ts'
import { openPool, type Sql } from '../db/pool.ts'
import { runMigration } from '../db/run-migration.ts'
import { readState } from '../db/schema-state.ts'
import { checkRing, loadMarks, recordedKms } from '../features/custody/index.ts'
import type { EnclavePins } from '../features/frame/frame.ts'
import type { Probe } from '../features/health/health.ts'
import { mountReference } from '../http/reference.ts'
import { serveAlsoAt } from '../http/serve-also-at.ts'
import type { Enclave } from '../ports/enclave.ts'
import type { Kms } from '../ports/kms.ts'
import type { Log } from '../ports/log.ts'
import type { Mail } from '../ports/mailer.ts'
import { drain } from '../runtime/drain.ts'
import { clusterBeatTurns } from './beat-turns.ts'
import { claimFrameOrigin } from './claim-frame-origin.ts'
import { reportBoot } from './enclave-boots.ts'
import { hostLog } from './host-log.ts'
import { reportMetrics } from './metrics-exchange.ts'
import { type ComponentProbe, outageLog, outages } from './outages.ts'
import { listenForDeaths } from './process-deaths.ts'

/** Models take their time to answer. */
const modelTimeoutMs = 120_000
// Longer than the minute after which the keys are free anyway.
const freeing = { triesMax: 120, pauseMs: 500 }

/** Additions to a configured server. */
export type StartOptions = {
  /** Adds routes before the server listens, for development. */
  extend?: (http: FastifyInstance, tools: { app: App; sql: Sql }) => void | Promise<void>
  /** The PCR values that the simulated enclave may have; production's are in the configuration. */
  simulatedMeasurements?: readonly Record<number, string>[]
  probes?: Record<string, Probe>
  /** Answers are checked against their schemas: for tests. */
  areAnswersChecked?: boolean
}

/** A listening server, with its address. */
export type RunningServer = { address: string; stop(): Promise<void> }

/** Builds the adapters from the configuration, migrates the database in development, and listens. It starts one process; the caller clusters. */
export async function startServer(config: Config, options: StartOptions = {}): Promise<RunningServer> {
  const adapters = buildAdapters(config, await openKms(config.kms), options)
  const { ports, metrics } = adapters
  const app = createApp(ports, {
    baseUrl: config.baseUrl,
    originRules: {
      ownOrigin: new URL(config.baseUrl).origin,
      frameOrigin: config.frame.origin,
      isLoopbackAllowed: config.mode === 'development',
    },
    enclavePins: enclavePins(config, options),
    claimedFrame: config.frame.isLasting ? config.frame.origin : undefined,
    trustedProxies: config.trustedProxies,
    ...(config.mode === 'development' && {
      homePath: '/portal',
      answeredHosts: [config.baseUrl, config.frame.origin].map((url) => new URL(url).hostname),
    }),
    ...(config.frame.port !== undefined && { framePort: config.frame.port }),
    areAnswersChecked: options.areAnswersChecked ?? false,
    isScriptedRunnerAllowed: config.mode === 'development',
    highRiskDelaySeconds: config.mode === 'development' ? 0 : 86_400,
    runDays: config.runDays,
    beatTurns: clusterBeatTurns(),
    ...(options.probes && { probes: options.probes }),
  })
  mountReference(app.http)
  if (cluster.isWorker) reportMetrics(() => metrics.text())
  await options.extend?.(app.http, { app, sql: ports.sql })
  // In production, the start has looked at the schema, and only an operator migrates it.
  if (config.mode === 'development') await runMigration(config.databaseUrl)
  await claimFrameOrigin(ports.sql, config)
  releaseLeasesOfDeadProcesses(app, ports.log)
  await app.http.ready()
  const { host, frame } = config
  // First: who finds the API finds the frame.
  const framePort =
    frame.port === undefined ? undefined : await serveAlsoAt(app.http, { host, port: frame.port })
  const address = await app.http.listen({ port: config.port, host: config.host, backlog: 4_096 })
  app.start()
  // A worker that comes back while the database is away serves all the same.
  const state = await readState(ports.sql).catch(() => undefined)
  hostLog(config.logLevel).started({
    address,
    version: buildVersion(),
    schema_version: state?.version ?? null,
    key_ids: app.keyIds,
  })
  return {
    address,
    async stop() {
      const closed = framePort?.close()
      await app.http.close()
      await closed
      await app.stop()
      await adapters.close()
    },
  }
}

/** The enclaves that the wallet frame may seal to: those that the service itself accepts. */
const enclavePins = ({ attestation }: Config, { simulatedMeasurements = [] }: StartOptions): EnclavePins =>
  'measurements' in attestation
    ? attestation
    : { measurements: simulatedMeasurements, simulatedRoot: readFileSync(attestation.simulatedRootFile) }

/** The configured enclave, which has to be attested and to have the ring of this database. */
function connectEnclave(
  { attestation, enclaveSocket: path, enclaveApiKey: apiKey }: Config,
  simulatedMeasurements: readonly Record<number, string>[],
  { sql, metrics, log }: { sql: Sql; metrics: Metrics; log: Log },
): Enclave {
  const policy =
    'measurements' in attestation
      ? attestation.measurements.length > 0
        ? nitroPolicy(attestation.measurements)
        : closedPolicy
      : simulatedPolicy(readFileSync(attestation.simulatedRootFile), simulatedMeasurements)
  return enclaveSocket({
    path,
    policy,
    apiKey,
    async checkRing(ring) {
      const fault = await checkRing(sql, ring)
      metrics.enclaveRing(fault === undefined ? ring.ringId : null)
      return fault
    },
    onBoot: reportBoot,
    loadMarks: loadMarks(sql),
    onMarks: ({ number, root }) => metrics.enclaveMarks(number, Buffer.from(root).toString('hex')),
    onRolledBack: () => metrics.stateRolledBack(),
    log,
  })
}

/** The adapters of one process, as the configuration says; `close` ends their connections. */
function buildAdapters(
  config: Config,
  service: Kms,
  { simulatedMeasurements = [], probes = {} }: StartOptions,
): { ports: Ports; metrics: Metrics; close(): Promise<void> } {
  const sql = openPool(config.databaseUrl, { connectionsMax: config.databaseConnections })
  const kms = recordedKms(service, sql)
  const own = { database: () => sql`select 1`, kms: () => kms.ping(), enclave: () => enclave.status() }
  const lost = outages({ ...own, ...mapProbes(probes) }, hostLog(config.logLevel).outage)
  const log = outageLog(pinoLog(config.logLevel), lost)
  const isDevelopment = config.mode === 'development'
  const changes = isDevelopment ? 'following' : 'fixed'
  const metrics = promMetrics(String(cluster.worker?.id ?? 0))
  const enclave = connectEnclave(config, simulatedMeasurements, { sql, metrics, log })
  const outbound = outboundHttp({ isLoopbackAllowed: isDevelopment })
  const smtp = mailSmtp({ urls: config.smtpUrls, from: config.mailFrom })
  const mailer = { ...smtp, send: (mail: Mail) => smtp.send(mail).then(() => lost.up('mail')) }
  const chains = evmChainsHttp(config.chains, { metrics: metrics.chains, clock: systemClock, log })
  const ports = {
    sql,
    kms,
    enclave,
    mailer,
    issuerKeys: oidcIssuer({ outbound, clock: systemClock }),
    outbound,
    identityProvider:
      config.identityProvider === undefined
        ? noIdentityProvider
        : identityProviderOpenid(config.identityProvider, { outbound, isPlainHttpAllowed: isDevelopment }),
    evm: chains.evm,
    prices: configuredPrices(config.prices, { evm: chains.evm, clock: systemClock, log }),
    chainMetrics: metrics.chains,
    browserAssets: builtAssets(builtPlaces, changes),
    portalAssets: builtPortal(portalFolder, changes),
    tools: builtTools(toolFiles, changes),
    docs: builtDocs(docsFolder, changes),
    secrets: openSecretsFile(config.secretsFile),
    clock: systemClock,
    ids: systemIds(),
    random: systemRandom,
    jitter: systemJitter,
    ...(config.model !== undefined && { model: modelOf(config.model, isDevelopment) }),
    log,
    metrics,
    processTable: processTableOs(),
  }
  return {
    ports,
    metrics,
    async close() {
      lost.close()
      mailer.close()
      chains.close()
      await enclave.close()
      await sql.end({ timeout: 5 })
    },
  }
}

/** The probes of further components: one that is neither up nor switched off is away. */
const mapProbes = (probes: Record<string, Probe>): Record<string, ComponentProbe> =>
  Object.fromEntries(
    Object.entries(probes).map(([name, probe]) => [
      name,
      async () => {
        const { status } = await probe()
        if (status !== 'up' && status !== 'off') throw new Error(`${name} is ${status}`)
      },
    ]),
  )

const modelOf = (model: NonNullable<Config['model']>, isLoopbackAllowed: boolean) =>
  configuredModel(model, outboundHttp({ isLoopbackAllowed, timeoutMaxMs: modelTimeoutMs }))

/** Frees what another process of the cluster held when it died: keys, messages, runs. */
function releaseLeasesOfDeadProcesses(app: App, log: Log): void {
  listenForDeaths(app.heartbeat.processId, (processId) => {
    void drain(() => app.heartbeat.processDied(processId), {
      ...freeing,
      onFailure: (error) => log.warn({ err: error }, 'the leases of a dead process are not free yet'),
    })
  })
}
