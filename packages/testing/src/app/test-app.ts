import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Envelope } from '@symbolon/api'
import { freePort } from '@symbolon/dev/testing/postgres'
import { checkRing, loadMarks, recordedKms } from '@symbolon/server/custody'
import { openPool, type Sql } from '@symbolon/server/pool'
import {
  builtAssets,
  builtDocs,
  builtPlaces,
  builtPortal,
  builtTools,
  configuredPrices,
  docsFolder,
  type EvmChainAddress,
  enclaveSocket,
  evmChainsHttp,
  kmsLocal,
  mailSmtp,
  makeLocalKeys,
  noIdentityProvider,
  oidcIssuer,
  openSecretsFile,
  outboundHttp,
  type PriceSources,
  portalFolder,
  processTableOs,
  promMetrics,
  systemClock,
  systemIds,
  systemJitter,
  systemRandom,
  toolFiles,
} from '@symbolon/server/testing/adapters'
import { type App, createApp, type Ports, serveAlsoAt } from '@symbolon/server/testing/app'
import type { UserOpTimes } from '@symbolon/server/testing/transactions'
import { testLog } from '../database/seed-organization.ts'
import { type TestDatabase, testDatabase } from '../database/test-database.ts'
import { type EnclaveProcess, expectedMeasurements } from '../enclave/enclave-process.ts'
import { lendEnclave } from '../enclave/lent-enclave.ts'
import { type MailServer, startMailServer } from '../mail/mail-server.ts'

/** The parts that all processes of one installation share: database, enclave, mail server and the folder of keys and secrets. */
export type Installation = {
  database: TestDatabase
  enclaveProcess: EnclaveProcess
  mailServer: MailServer
  folder: string
  stop(): Promise<void>
}

/** Starts everything that the service stands on, all of it real; the enclave may be one that an earlier test has left. */
export async function startInstallation(): Promise<Installation> {
  const [database, { enclave: enclaveProcess, giveBack }, mailServer] = await Promise.all([
    testDatabase(),
    lendEnclave(),
    startMailServer(),
  ])
  const folder = mkdtempSync(join(tmpdir(), 'symbolon-app-'))
  return {
    database,
    enclaveProcess,
    mailServer,
    folder,
    async stop() {
      await Promise.all([giveBack(), mailServer.close()])
      await database.drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** One call's credentials, body and further headers. `json` is sent as JSON, `body` as it is. */
export type CallOptions = {
  pk?: string
  token?: string
  sk?: string
  json?: unknown
  body?: string | Uint8Array<ArrayBuffer>
  headers?: Record<string, string>
}

/** An answer as it came; `data` and `error` are the envelope's, both null without a body. */
export type Answer<data = Record<string, unknown>> = {
  status: number
  headers: Headers
  text: string
  data: data
  error: NonNullable<Envelope['error']> | null
}

export type TestAppOptions = {
  /** Shared with other processes; without it the process has one of its own, which ends with it. */
  installation?: Installation
  ports?: Partial<Ports>
  /** EVM chains this process is wired to, by the real adapters; none without it. A port of `ports` goes before it. */
  chains?: readonly EvmChainAddress[]
  /** Without it: ETH at a fixed 3,000 EUR. */
  prices?: PriceSources
  /** Shorter than the usual ones. */
  userOpTimes?: UserOpTimes
  trustedProxies?: string[]
  /** Browsers come to it: the platform's own origin is where this process listens, not `ownOrigin`; the frame has a second port. */
  isVisited?: boolean
  /** The wallet frame's, where no browser comes; by default the platform's own. */
  frameOrigin?: string
}

/** Something that answers as the API does. */
export type Api = Pick<TestApp, 'call'>

/** One API process on a loopback port, its answers checked against their schemas. */
export type TestApp = Installation & {
  url: string
  /** The origin of the wallet frame: a port of its own where browsers come to the process. */
  frameUrl: string
  app: App
  sql: Ports['sql']
  log: ReturnType<typeof testLog>
  call<data = Record<string, unknown>>(
    method: string,
    path: string,
    options?: CallOptions,
  ): Promise<Answer<data>>
}

const etherAt3000: PriceSources = {
  fixed: new Map([['ETH', 3_000n * 10n ** 8n]]),
  feeds: new Map(),
  deviationMaxPercent: 50,
}

/** The origin the platform itself is served from, in every test that no browser takes part in. */
export const ownOrigin = 'https://wallet.example.test'

/** Starts an API process over real parts. `stop()` ends it, and the installation if it is its own. */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const installation = options.installation ?? (await startInstallation())
  const log = testLog()
  const { ports, sql, close } = openPorts(installation, options, log)
  const isVisited = options.isVisited === true
  const [listensAt, framePort] = isVisited ? [await freePort(), await freePort()] : [0, 0]
  const baseUrl = isVisited ? `http://127.0.0.1:${listensAt}` : ownOrigin
  const frameOrigin = isVisited ? `http://127.0.0.1:${framePort}` : (options.frameOrigin ?? baseUrl)
  const app = createApp(ports, {
    baseUrl,
    originRules: { ownOrigin: baseUrl, frameOrigin, isLoopbackAllowed: false },
    ...(isVisited && { framePort }),
    enclavePins: pinsOf(installation.enclaveProcess),
    claimedFrame: options.frameOrigin,
    trustedProxies: options.trustedProxies ?? [],
    areAnswersChecked: true,
    isScriptedRunnerAllowed: true,
    ...(options.userOpTimes && { userOpTimes: options.userOpTimes }),
  })
  await app.http.ready()
  const frame = isVisited ? await serveAlsoAt(app.http, { host: '127.0.0.1', port: framePort }) : undefined
  await app.http.listen({ port: listensAt, host: '127.0.0.1' })
  app.start()
  const { port } = app.http.server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  return {
    ...installation,
    url,
    frameUrl: isVisited ? frameOrigin : url,
    app,
    sql,
    log,
    call: (method, path, callOptions) => call(url, method, path, callOptions),
    async stop() {
      const closed = frame?.close()
      await app.http.close()
      await closed
      await app.stop()
      await close()
      if (options.installation === undefined) await installation.stop()
    },
  }
}

/** The enclave as an API process has it: one whose ring is not the database's is not used. */
export const enclaveOf = ({ client }: EnclaveProcess, sql: Sql): Ports['enclave'] =>
  enclaveSocket({ ...client, checkRing: (ring) => checkRing(sql, ring), loadMarks: loadMarks(sql) })

/** The enclave that the wallet frame seals to. */
const pinsOf = ({ rootPath }: EnclaveProcess) => ({
  measurements: [expectedMeasurements],
  simulatedRoot: readFileSync(rootPath),
})

/** The ports of one process, and the pool that is its own even where a test replaces the port `sql`. */
function openPorts(
  { database, enclaveProcess, mailServer, folder }: Installation,
  options: TestAppOptions,
  log: Ports['log'],
) {
  const sql = openPool(database.url, { connectionsMax: 6 })
  const keyFile = join(folder, 'kms.json')
  makeLocalKeys(keyFile)
  const enclave = enclaveOf(enclaveProcess, sql)
  const mailer = mailSmtp({ urls: [`smtp://127.0.0.1:${mailServer.port}`], from: 'Test <no-reply@test>' })
  const metrics = promMetrics()
  const tools = { metrics: metrics.chains, clock: systemClock, log }
  const chains = evmChainsHttp(options.chains ?? [], tools)
  const outbound = outboundHttp({ isLoopbackAllowed: true })
  const ports: Ports = {
    sql,
    kms: recordedKms(kmsLocal(keyFile), sql),
    enclave,
    mailer,
    issuerKeys: oidcIssuer({ outbound, clock: systemClock }),
    identityProvider: noIdentityProvider,
    outbound,
    clock: systemClock,
    secrets: openSecretsFile(join(folder, 'secrets.json')),
    ids: systemIds(),
    random: systemRandom,
    jitter: systemJitter,
    log,
    metrics,
    processTable: processTableOs(),
    evm: chains.evm,
    prices: configuredPrices(options.prices ?? etherAt3000, { ...tools, evm: chains.evm }),
    chainMetrics: metrics.chains,
    browserAssets: builtAssets(builtPlaces, 'following'),
    portalAssets: builtPortal(portalFolder, 'following'),
    tools: builtTools(toolFiles, 'following'),
    docs: builtDocs(docsFolder, 'following'),
    ...options.ports,
  }
  return {
    ports,
    sql,
    async close() {
      mailer.close()
      chains.close()
      await enclave.close()
      await sql.end({ timeout: 5 })
    },
  }
}

/** Calls the API process at `url`. */
export async function call<data = Record<string, unknown>>(
  url: string,
  method: string,
  path: string,
  { pk, token, sk, json, body, headers = {} }: CallOptions = {},
): Promise<Answer<data>> {
  const bearer = token ?? sk
  const payload = json === undefined ? body : JSON.stringify(json)
  const response = await fetch(`${url}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(pk !== undefined && { 'x-service-publishable-key': pk }),
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      ...(payload !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(payload !== undefined && { body: payload }),
  })
  const text = await response.text()
  // A stream has no envelope.
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
  const envelope = isJson ? JSON.parse(text) : { data: null, error: null }
  return { status: response.status, headers: response.headers, text, ...envelope }
}
