import cluster from 'node:cluster'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { nitroPolicy, simulatedPolicy } from '../adapters/attestation/policy.ts'
import { builtAssets, builtPlaces } from '../adapters/built-assets.ts'
import { builtDocs, docsFolder } from '../adapters/built-docs.ts'
import { builtPortal, portalFolder } from '../adapters/built-portal.ts'
import { builtTools, toolFiles } from '../adapters/built-tools.ts'
import { enclaveSocket } from '../adapters/enclave-socket.ts'
import { evmChainsHttp } from '../adapters/evm/evm-chains-http.ts'
import { identityProviderOpenid, noIdentityProvider } from '../adapters/identity-provider-openid.ts'
import { kmsLocal } from '../adapters/kms-local.ts'
import { pinoLog } from '../adapters/log-pino.ts'
import { mailSmtp } from '../adapters/mail-smtp.ts'
import { promMetrics } from '../adapters/metrics-prom.ts'
import { configuredModel } from '../adapters/models/configured-model.ts'
import { oidcIssuer } from '../adapters/oidc-issuer.ts'
import { outboundHttp } from '../adapters/outbound-http.ts'
import { configuredPrices } from '../adapters/prices/configured-prices.ts'
import { openSecretsFile } from '../adapters/secrets-file.ts'
import { systemClock, systemIds, systemJitter, systemRandom } from '../adapters/system.ts'
import { type App, createApp } from '../app.ts'
import type { Config } from '../config.ts'
import { openPool, type Sql } from '../db/pool.ts'
import { runMigration } from '../db/run-migration.ts'
import type { Probe } from '../features/health/health.ts'
import { mountReference } from '../http/reference.ts'
import { untilDone } from '../runtime/until-done.ts'
import { mergeMetrics } from './merge-metrics.ts'
import { metricsOfAll } from './metrics-exchange.ts'
import { hearOfDeaths } from './process-deaths.ts'

/** A model thinks before it answers. */
const modelTimeoutMs = 120_000
// For the minute after which the keys are free anyway.
const freeing = { triesMax: 120, pauseMs: 500 }

/** What the caller adds to a configured server. */
export type StartOptions = {
  /** Development adds its own routes to the same server here, before it listens. */
  extend?: (http: FastifyInstance, tools: { app: App; sql: Sql }) => void | Promise<void>
  /** Sets of PCR values that the simulated enclave may have; production's are in the configuration. */
  simulatedMeasurements?: readonly Record<number, string>[]
  probes?: Record<string, Probe>
  /** Answers are checked against their schemas: for tests. */
  areAnswersChecked?: boolean
}

/** A listening server: where, and how it ends. */
export type RunningServer = { address: string; stop(): Promise<void> }

/** Builds the adapters from the configuration, migrates the database, and listens. One process; the caller clusters. */
export async function startServer(config: Config, options: StartOptions = {}): Promise<RunningServer> {
  const log = pinoLog(config.logLevel)
  const isDevelopment = config.mode === 'development'
  const sql = openPool(config.databaseUrl, { connectionsMax: config.databaseConnections })
  const metrics = promMetrics(String(cluster.worker?.id ?? 0))
  const allMetrics = metricsOfAll(() => metrics.text())
  const enclave = enclaveSocket({
    path: config.enclaveSocket,
    policy:
      'measurements' in config.attestation
        ? nitroPolicy(config.attestation.measurements)
        : simulatedPolicy(
            readFileSync(config.attestation.simulatedRootFile),
            options.simulatedMeasurements ?? [],
          ),
    log,
  })
  const outbound = outboundHttp({ isLoopbackAllowed: isDevelopment })
  const mailer = mailSmtp({ urls: config.smtpUrls, from: config.mailFrom })
  const chains = evmChainsHttp(config.chains, { metrics: metrics.chains, clock: systemClock, log })
  const app = createApp(
    {
      sql,
      kms: kmsLocal(resolve(config.kmsKeyFile)),
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
      browserAssets: builtAssets(builtPlaces, isDevelopment ? 'following' : 'fixed'),
      portalAssets: builtPortal(portalFolder, isDevelopment ? 'following' : 'fixed'),
      tools: builtTools(toolFiles, isDevelopment ? 'following' : 'fixed'),
      docs: builtDocs(docsFolder, isDevelopment ? 'following' : 'fixed'),
      secrets: openSecretsFile(config.secretsFile),
      clock: systemClock,
      ids: systemIds(),
      random: systemRandom,
      jitter: systemJitter,
      ...(config.model !== undefined && {
        model: configuredModel(
          config.model,
          outboundHttp({ isLoopbackAllowed: isDevelopment, timeoutMaxMs: modelTimeoutMs }),
        ),
      }),
      log,
      metrics,
    },
    {
      baseUrl: config.baseUrl,
      originRules: { ownOrigin: new URL(config.baseUrl).origin, isLoopbackAllowed: isDevelopment },
      trustedProxies: config.trustedProxies,
      areAnswersChecked: options.areAnswersChecked ?? false,
      isScriptedRunnerAllowed: isDevelopment,
      runDays: config.runDays,
      ...(options.probes && { probes: options.probes }),
    },
  )
  mountReference(app.http)
  app.http.get('/metrics', async (_request, reply) =>
    reply.type(metrics.contentType).send(mergeMetrics(await allMetrics())),
  )
  await options.extend?.(app.http, { app, sql })
  await runMigration(config.databaseUrl)
  hearOfDeaths(app.idempotency.processId, (processId) => {
    void untilDone(() => app.idempotency.processDied(processId), {
      ...freeing,
      onFailure: (error) => log.warn({ err: error }, 'the keys of a dead process are not free yet'),
    })
  })
  const address = await app.http.listen({ port: config.port, host: config.host, backlog: 4_096 })
  app.start()
  return {
    address,
    async stop() {
      await app.http.close()
      await app.stop()
      mailer.close()
      chains.close()
      await enclave.close()
      await sql.end({ timeout: 5 })
    },
  }
}
