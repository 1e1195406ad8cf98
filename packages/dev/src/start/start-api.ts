import path from 'node:path'
import { identityEnvironment } from '../identity/identity-environment.ts'
import { devFilePath } from './dev-file.ts'
import { enclaveKeyFiles } from './enclave-keys.ts'
import { type HttpAnswer, untilServed } from './http-call.ts'
import { lateDatabase } from './late-database.ts'
import { chainEnvironment, type LocalChain, localUrls } from './local-chains.ts'
import { programEntry } from './program-entry.ts'
import type { StartedEnclave } from './start-enclave.ts'
import type { StartPorts } from './start-ports.ts'
import { logOf, privateFolder, readyWithinMs, type Startup, stopped } from './startup.ts'
import { type SupervisedNode, supervisedNode } from './supervised-node.ts'

/** The parts that the API is wired to. `databaseFile` will hold the address of the database, which comes up meanwhile. */
export type StartApiOptions = {
  enclave: StartedEnclave
  chains: readonly LocalChain[]
  databaseFile: string
  mailPort: number
  ports: StartPorts
}

/** An API on its way up; `served` resolves once it signs, and rejects with the end of its log. */
export type StartedApi = Pick<SupervisedNode, 'pid' | 'stop'> & { served(): Promise<void> }

/** Starts the API, supervised. */
export function startApi(startup: Startup, options: StartApiOptions): StartedApi {
  const log = logOf(startup, 'api')
  const node = supervisedNode({
    entry: programEntry('api'),
    environment: apiEnvironment(startup, options),
    log,
    onDeath: (reason) => startup.report(`API: stopped (${reason}), restarting it; see ${log.path}`),
  })
  startup.processes.push({ role: 'api', pid: node.pid })
  return {
    pid: node.pid,
    stop: node.stop,
    async served() {
      let lostKey: string | undefined
      const served = untilServed(`${startup.config.localUrl}/v1/ready`, {
        withinMs: readyWithinMs,
        isEnough(answer) {
          lostKey = componentsOf(answer)['kms']?.reason
          return servesSigning(answer)
        },
      }).catch((error) => {
        throw new Error(`${error.message}\nThe end of ${log.path}:\n${log.tail()}`)
      })
      await Promise.race([served, node.failure, stopped(startup)])
      node.markReady()
      if (lostKey !== undefined) startup.report(lostKeySentence(startup))
    },
  }
}

const lostKeySentence = (startup: Startup): string =>
  `KMS: ${startup.config.kms ?? keyFileOf(startup)} does not have the keys of this database. Put the right ones back and start again; nothing was made.`

const keyFileOf = (startup: Startup): string => path.join(privateFolder(startup, 'kms'), 'keys.json')

function apiEnvironment(startup: Startup, options: StartApiOptions): Record<string, string> {
  const { config, baseUrl, environment } = startup
  const { enclave, chains, databaseFile, mailPort, ports } = options
  const secrets = privateFolder(startup, 'secrets')
  return {
    ...config.passedOn,
    ...identityEnvironment(baseUrl, secrets, config.passedOn),
    ...chainEnvironment(chains.map(localUrls), config.passedOn),
    ...environment,
    NODE_ENV: 'development',
    HOST: config.host,
    PORT: String(config.port),
    BASE_URL: baseUrl,
    ...(config.frameBaseUrl !== undefined && { FRAME_BASE_URL: config.frameBaseUrl }),
    ...(ports.frame !== undefined && { FRAME_PORT: String(ports.frame) }),
    METRICS_HOST: config.metrics.host,
    METRICS_PORT: String(ports.metrics),
    SYMBOLON_DATA_DIR: config.dataFolder,
    [lateDatabase]: databaseFile,
    SMTP_URL: config.smtpUrl ?? `smtp://127.0.0.1:${mailPort}`,
    KMS: config.kms ?? `local:${keyFileOf(startup)}`,
    SECRETS_FILE: path.join(secrets, 'server.json'),
    ENCLAVE_SOCKET: enclave.socket,
    ENCLAVE_API_KEY_FILE: enclaveKeyFiles(startup).api,
    ATTESTATION_ROOT: enclave.root,
    SYMBOLON_DEV_FILE: devFilePath(config.dataFolder),
  }
}

type ReadyError = {
  code: string
  details?: { components?: Record<string, { status: string; reason?: string }> }
}

const errorOf = ({ body }: HttpAnswer): ReadyError | undefined =>
  ((body ?? {}) as { error?: ReadyError | null }).error ?? undefined

const componentsOf = (answer: HttpAnswer) => errorOf(answer)?.details?.components ?? {}

/** Whether all that signing needs is there: the chain and the file that names the demo organizations may follow. */
function servesSigning(answer: HttpAnswer): boolean {
  if (answer.status === 200) return true
  const { chain, dev_file: _, enclave, kms, ...others } = componentsOf(answer)
  // Without the right key ring, or the right keys, the start stays up, and says so.
  const isEnclaveSettled = enclave?.status === 'up' || errorOf(answer)?.code === 'enclave_ring_mismatch'
  const isKmsSettled = kms?.status === 'up' || kms?.reason !== undefined
  return (
    chain !== undefined &&
    isEnclaveSettled &&
    isKmsSettled &&
    Object.values(others).every((component) => component.status === 'up')
  )
}
