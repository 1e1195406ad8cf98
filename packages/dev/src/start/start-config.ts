import { isIP } from 'node:net'
import { dataFolderPath } from './data-folder.ts'
import { StartConfigError } from './start-config-error.ts'

/** What `npm start` reads from the environment. `passedOn` goes to the API untouched. */
export type StartConfig = {
  host: string
  port: number
  /** Where browsers reach the platform: `BASE_URL`, or the address that it listens on. */
  baseUrl: string
  /** Where this machine reaches it. */
  localUrl: string
  metrics: { host: string; port: number | undefined }
  /** The wallet frame's origin where the developer sets it; a second port otherwise. */
  frameBaseUrl: string | undefined
  dataFolder: string
  /** Whether the environment names the data folder. */
  isFolderChosen: boolean
  databaseUrl: string | undefined
  smtpUrl: string | undefined
  kms: string | undefined
  /** Whether the local chains run. */
  hasChain: boolean
  /** Who accepts what an enclave begins with (`STATE_ACCEPTANCE`): `automatic`, unless the developer sets `operators`. */
  stateAcceptance: 'automatic' | 'operators'
  passedOn: Record<string, string>
}

/** Variables of the server that a developer may set for the API. */
const passable =
  /^(WORKERS|LOG_LEVEL|TRUSTED_PROXIES|NODE_OPTIONS|OIDC_(?:ISSUER|CLIENT_ID|CLIENT_SECRET)|AGENT_LLM_(?:URL|KIND|MODEL|API_KEY)|AGENT_RUN_RETENTION_DAYS|VAULT_(?:TOKEN|TOKEN_FILE|NAMESPACE|CACERT)|KMS_KEY_(?:PROVIDER|RECOVERY|TEE_B|WEBHOOK|PII)|AWS_.+|GOOGLE_APPLICATION_CREDENTIALS|PKCS11_PIN(?:_FILE)?|TZ|PATH|HOME|LANG|SYMBOLON_(?!DATA_DIR|LOCAL_CHAINS).+)$/

/** Reads the environment. Throws a `StartConfigError` with all that is wrong. */
export function startConfig(environment: NodeJS.ProcessEnv): StartConfig {
  const { config, complaints } = readStartConfig(environment)
  if (complaints.length > 0) throw new StartConfigError(complaints)
  return config
}

/** What a start gives the API itself: each setting that would have no effect, and why. */
const ownOnes: Readonly<Record<string, string>> = {
  ENCLAVE_MEASUREMENTS: 'npm start accepts its own simulated enclave alone',
  ENCLAVE_SOCKET: 'npm start runs an enclave of its own',
  SECRETS_FILE: 'npm start keeps its secrets in the data folder',
}

/** A sentence for each setting of production that a start leaves alone. */
export const ignoredSettings = (environment: NodeJS.ProcessEnv): string[] =>
  Object.entries(ownOnes).flatMap(([name, why]) => (environment[name] ? [`${name} is ignored: ${why}.`] : []))

/** Reads the environment as far as it can be read, and says what is wrong with it: a sentence each, with the name of the variable. */
export function readStartConfig(environment: NodeJS.ProcessEnv): {
  config: StartConfig
  complaints: string[]
} {
  const complaints: string[] = []
  const complain = (says: string) => void complaints.push(`${says}.`)
  const host = hostOf(environment, complain)
  const baseUrl = originOf(environment, 'BASE_URL', complain)
  if (!isLoopbackName(host) && !environment['BASE_URL'])
    complain(
      `HOST is ${host}: beyond the loopback interface, BASE_URL must say by which address browsers reach the platform`,
    )
  const port = portOf(environment, 'PORT', complain) ?? 8080
  const metricsPort = portOf(environment, 'METRICS_PORT', complain)
  if (metricsPort === port) complain('METRICS_PORT must differ from PORT')
  const localUrl = `http://${urlHost({ '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host)}:${port}`
  const chain = environment['SYMBOLON_CHAIN'] || 'on'
  if (chain !== 'on' && chain !== 'off')
    complain(`SYMBOLON_CHAIN is ${chain}: it must be off (no local chain) or on`)
  const stateAcceptance = environment['STATE_ACCEPTANCE'] || 'automatic'
  if (stateAcceptance !== 'automatic' && stateAcceptance !== 'operators')
    complain(`STATE_ACCEPTANCE is ${stateAcceptance}: it must be automatic or operators`)
  const config = {
    host,
    port,
    baseUrl: baseUrl ?? localUrl,
    localUrl,
    metrics: { host: environment['METRICS_HOST'] || '127.0.0.1', port: metricsPort },
    frameBaseUrl: originOf(environment, 'FRAME_BASE_URL', complain),
    hasChain: chain === 'on',
    stateAcceptance: stateAcceptance === 'operators' ? ('operators' as const) : ('automatic' as const),
    dataFolder: dataFolderPath(environment),
    isFolderChosen: Boolean(environment['SYMBOLON_DATA_DIR']),
    databaseUrl: environment['DATABASE_URL'] || undefined,
    smtpUrl: environment['SMTP_URL'] || undefined,
    kms: environment['KMS'] || undefined,
    passedOn: Object.fromEntries(
      Object.entries(environment).flatMap(([name, value]) =>
        value !== undefined && passable.test(name) ? [[name, value]] : [],
      ),
    ),
  }
  return { config, complaints }
}

/** The address to listen on: an IP address, or a name that may be one of this machine's. */
function hostOf(environment: NodeJS.ProcessEnv, complain: Say): string {
  const ownHost = '127.0.0.1'
  const host = environment['HOST'] || ownHost
  if (isIP(host) !== 0 || /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i.test(host)) return host
  complain(`HOST is ${host}: it must be an IP address or a host name of this machine, such as 127.0.0.1`)
  return ownHost
}

/** Whether only this machine reaches an address, as `HOST` or a URL spells it. */
export const isLoopbackName = (host: string): boolean =>
  /^(127(\.\d{1,3}){3}|localhost|::1|\[::1\])$/.test(host)

/** A host as URLs spell it. */
export const urlHost = (host: string): string => (host.includes(':') ? `[${host}]` : host)

type Say = (says: string) => void

/** A port as everybody reads it. */
function portOf(environment: NodeJS.ProcessEnv, name: string, complain: Say): number | undefined {
  const text = environment[name] || undefined
  if (text === undefined) return undefined
  if (/^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535) return Number(text)
  complain(`${name} is ${text}: it must be a number from 1 to 65535`)
  return undefined
}

/** The origin that a variable names. */
function originOf(environment: NodeJS.ProcessEnv, name: string, complain: Say): string | undefined {
  const text = environment[name] || undefined
  if (text === undefined) return undefined
  const url = URL.parse(text)
  const isOrigin = url !== null && url.href === `${url.origin}/` && !/[?#]/.test(text)
  if (isOrigin && /^https?:$/.test(url.protocol)) return url.origin
  complain(`${name} must be an http:// or https:// URL without user, path, query and fragment`)
  return undefined
}
