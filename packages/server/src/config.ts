import { resolve } from 'node:path'
import type { ApiKey } from '@symbolon/crypto/node'
import * as z from 'zod'
import type { Complain, Environment } from './adapters/environment.ts'
import { type ChainConfig, readChainConfig } from './adapters/evm/chain-config.ts'
import { type KmsConfig, kmsSettings, readKmsConfig } from './adapters/kms/kms-config.ts'
import type { ModelConfig } from './adapters/models/configured-model.ts'
import { readEnvironment } from './adapters/secret-files.ts'
import {
  addressRanges,
  enclaveApiKey,
  listenHost,
  mailSender,
  mailServers,
  measurements,
  oneOf,
  origin,
  url,
} from './adapters/setting-kinds.ts'
import { wholeNumber } from './adapters/whole-number.ts'
import { databaseUrlComplaint } from './db/tls-options.ts'

const databaseUrl = z.string().superRefine((text, context) => {
  const complaint = databaseUrlComplaint(text)
  if (complaint !== undefined) context.addIssue(`cannot be used: ${complaint}`)
})

const modelUrl =
  'API of the language model for `llm` agents, such as `https://api.openai.com/v1`. Without it, `llm` agents are unavailable.'

const shared = {
  PORT: wholeNumber(0, 65_535).default(8080).describe('Port of the API.'),
  HOST: listenHost.default('127.0.0.1').describe('Address the API listens on.'),
  WORKERS: wholeNumber(1, 64).optional().describe('API processes, 1 to 64. By default, one per core.'),
  DATABASE_URL: databaseUrl.describe(
    'PostgreSQL 15 or newer: `postgres://user:password@host/database?sslmode=verify-full&sslrootcert=<file>`. It can name several hosts, with `target_session_attrs=read-write`.',
  ),
  DATABASE_CONNECTIONS: wholeNumber(2, 100)
    .default(6)
    .describe('Database connections per API process, 2 to 100.'),
  ...kmsSettings,
  SECRETS_FILE: z
    .string()
    .min(1)
    .describe(
      'Pepper and token secrets: the path of a file of mode 0600, which the first start over an empty database creates. All machines of an installation share one.',
    ),
  ENCLAVE_SOCKET: z.string().min(1).describe('Unix socket of the enclave, or of the bridge to it.'),
  ENCLAVE_API_KEY: enclaveApiKey.describe(
    "The API's private key towards the enclave, as a JWK (OKP, X25519): the enclave's manifest names its public part. `symbolon enclave api-key --out <file>` makes one.",
  ),
  SMTP_URL: mailServers.describe(
    'Mail servers: one or two URLs, separated by a comma. `smtps://user:password@host` uses TLS from the start (port 465), `smtp://` by STARTTLS (port 587): a server that offers no TLS gets no email, unless it is on this machine.',
  ),
  MAIL_FROM: mailSender
    .default('Symbolon <no-reply@localhost>')
    .describe('Sender of all email: an address, or `Name <address>`.'),
  OIDC_CLIENT_ID: z.string().min(1).optional().describe('Client id at the OpenID Connect provider.'),
  OIDC_CLIENT_SECRET: z.string().min(1).optional().describe('Client secret at the OpenID Connect provider.'),
  TRUSTED_PROXIES: addressRanges
    .default([])
    .describe(
      'Addresses or CIDR ranges, separated by commas, whose `X-Forwarded-For` is trusted. A range of all addresses (`/0`) is refused.',
    ),
  METRICS_PORT: wholeNumber(1, 65_535)
    .default(9464)
    .describe('Port of `/metrics`. The port of the API does not serve it.'),
  METRICS_HOST: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe('Address that serves `/metrics`: one that only your monitoring can reach.'),
  AGENT_LLM_URL: url(['http:', 'https:']).optional().describe(modelUrl),
  AGENT_LLM_KIND: oneOf('openai', 'anthropic')
    .default('openai')
    .describe('Kind of the API at `AGENT_LLM_URL`: `openai` or `anthropic`.'),
  AGENT_LLM_MODEL: z.string().min(1).optional().describe('Name of the model. Needed with `AGENT_LLM_URL`.'),
  AGENT_LLM_API_KEY: z.string().min(1).optional().describe('Key for the model. Needed with `AGENT_LLM_URL`.'),
  AGENT_RUN_RETENTION_DAYS: wholeNumber(0, 36_500)
    .default(90)
    .describe(
      'Days that agent runs are kept after their end, with journals, A2A tasks and hook deliveries. 0 keeps them forever. The audit log always stays.',
    ),
  LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'silent')
    .default('info')
    .describe('`fatal`, `error`, `warn`, `info`, `debug` or `silent`.'),
}

const baseUrl =
  'Address that users see, without a path. It is the issuer of tokens and the origin of the platform.'
const frameBaseUrl =
  'Origin of the wallet frame, on a host of its own. It keeps the device shares of client-mode wallets, so set it before the first of them: it cannot change afterwards. By default, the frame is at `BASE_URL`.'
const issuer =
  'OpenID Connect provider that portal users log in with. Register `<BASE_URL>/v1/auth/callback` there; it must send a verified `email`.'

const development = z.object({
  ...shared,
  BASE_URL: origin(['http:', 'https:']).optional().describe(baseUrl),
  FRAME_BASE_URL: origin(['http:', 'https:']).optional().describe(frameBaseUrl),
  FRAME_PORT: wholeNumber(1, 65_535).optional().describe('Second port, which serves the wallet frame.'),
  OIDC_ISSUER: url(['http:', 'https:']).optional().describe(issuer),
  ATTESTATION_ROOT: z
    .string()
    .min(1)
    .describe('Root certificate of simulated attestation. Development sets it.'),
})

const production = z.object({
  ...shared,
  PORT: wholeNumber(1, 65_535).default(8080).describe('Port of the API.'),
  BASE_URL: origin(['https:']).describe(baseUrl),
  FRAME_BASE_URL: origin(['https:']).optional().describe(frameBaseUrl),
  OIDC_ISSUER: url(['https:']).describe(issuer),
  // Calls to the outside leave by https alone.
  AGENT_LLM_URL: url(['https:']).optional().describe(modelUrl),
  OIDC_CLIENT_ID: shared.OIDC_CLIENT_ID.unwrap().describe('Client id at the OpenID Connect provider.'),
  OIDC_CLIENT_SECRET: shared.OIDC_CLIENT_SECRET.unwrap().describe(
    'Client secret at the OpenID Connect provider.',
  ),
  ENCLAVE_MEASUREMENTS: measurements
    .optional()
    .describe(
      'Measurements that you accept, as JSON: `[{"0":"…","1":"…","2":"…"}]`, 96 hex digits each. Without it, no enclave is accepted.',
    ),
})

export { chainSettings } from './adapters/evm/chain-config.ts'
export { priceSettings } from './adapters/prices/price-config.ts'

/** The variables of a production service, which the configuration reference is generated from. */
export const productionSettings: Readonly<Record<string, z.ZodType>> = production.shape

/**
 * Where the wallet frame is. `port` is a second one that serves it; without it, its host name tells its requests. Once client-mode wallets
 * exist, a start with another origin is refused where it `isLasting`: a development port may change.
 */
export type FramePlace = { origin: string; port: number | undefined; isLasting: boolean }

/** The settings of the service, from its environment. `attestation` says which enclave it talks to. */
export type Config = {
  mode: 'development' | 'production'
  port: number
  host: string
  workers: number | undefined
  baseUrl: string
  frame: FramePlace
  databaseUrl: string
  databaseConnections: number
  kms: KmsConfig
  secretsFile: string
  enclaveSocket: string
  /** What the enclave knows this service by. */
  enclaveApiKey: ApiKey
  attestation: { simulatedRootFile: string } | { measurements: Record<number, string>[] }
  smtpUrls: string[]
  mailFrom: string
  /** Where portal users log in; a development server may have none. */
  identityProvider: { issuer: string; clientId: string; clientSecret: string } | undefined
  trustedProxies: string[]
  /** Where the metrics of all processes are served. */
  metrics: { host: string; port: number }
  /** The language model that `llm` agents work with, if there is one. */
  model: ModelConfig | undefined
  /** Days that runs of agents are kept after their end; 0: for ever. */
  runDays: number
  logLevel: string
} & ChainConfig

/** Settings are wrong. The message has a line, a sentence, for each: it names the variable and what it must be, never the value given. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** Reads the environment, once, at the start. Throws `ConfigError`. */
export function readConfig(environment: Record<string, string | undefined>, mode: Config['mode']): Config {
  const { given, complaints, complain } = readEnvironment(environment)
  const chains = readChainConfig(given, complain)
  checkModel(given, mode, complain)
  checkIdentityProvider(given, mode, complain)
  const kms = readKmsConfig(given, complain)
  if (Number(given['METRICS_PORT'] ?? 9464) === Number(given['PORT'] ?? 8080))
    complain('METRICS_PORT', 'must differ from PORT')
  const rest = mode === 'production' ? readProduction(given, complain) : readDevelopment(given, complain)
  if (rest === undefined || kms === undefined || complaints.size > 0)
    throw new ConfigError([...complaints].join('\n'))
  return { ...rest, ...chains, kms }
}

/** Half a model is a mistake: without it, `llm` agents would be unavailable and nobody would know why. */
function checkModel(given: Environment, mode: Config['mode'], complain: Complain): void {
  const needed = ['AGENT_LLM_MODEL', ...(mode === 'production' ? ['AGENT_LLM_API_KEY'] : [])]
  if (given['AGENT_LLM_URL'] !== undefined) {
    for (const name of needed) if (given[name] === undefined) complain('AGENT_LLM_URL', `needs ${name}`)
    return
  }
  for (const name of ['AGENT_LLM_MODEL', 'AGENT_LLM_API_KEY', 'AGENT_LLM_KIND'])
    if (given[name] !== undefined) complain(name, 'needs AGENT_LLM_URL')
}

/** Half an identity provider is one too: the portal would have no login. Production needs a whole one anyway. */
function checkIdentityProvider(given: Environment, mode: Config['mode'], complain: Complain): void {
  const names = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const
  const [first, ...others] = names.filter((name) => given[name] !== undefined)
  if (mode === 'production' || first === undefined) return
  for (const name of names) if (name !== first && !others.includes(name)) complain(first, `needs ${name}`)
}

/** The settings that say where a production installation is: its database and its enclave. */
export type PlaceConfig = {
  databaseUrl: string
  enclaveSocket: string
  enclaveApiKey: ApiKey
  measurements: Record<number, string>[]
}

/** Reads where an installation is, and nothing else that its service needs. Throws `ConfigError`. */
export function readPlaces(environment: Record<string, string | undefined>): PlaceConfig {
  const { given, complaints, complain } = readEnvironment(environment)
  const schema = production
    .pick({ DATABASE_URL: true, ENCLAVE_SOCKET: true, ENCLAVE_API_KEY: true, ENCLAVE_MEASUREMENTS: true })
    .required({ ENCLAVE_MEASUREMENTS: true })
  const values = parse(schema, given, complain)
  if (values === undefined || complaints.size > 0) throw new ConfigError([...complaints].join('\n'))
  return {
    databaseUrl: values.DATABASE_URL,
    enclaveSocket: values.ENCLAVE_SOCKET,
    enclaveApiKey: values.ENCLAVE_API_KEY,
    measurements: values.ENCLAVE_MEASUREMENTS,
  }
}

/** Reads the registers of the images that may run. Throws `ConfigError`. */
export function readMeasurements(
  environment: Record<string, string | undefined>,
): PlaceConfig['measurements'] {
  const { given, complaints, complain } = readEnvironment(environment)
  const schema = production.pick({ ENCLAVE_MEASUREMENTS: true }).required()
  const values = parse(schema, given, complain)
  if (values === undefined || complaints.size > 0) throw new ConfigError([...complaints].join('\n'))
  return values.ENCLAVE_MEASUREMENTS
}

function readProduction(given: Environment, complain: Complain) {
  const values = parse(production, given, complain)
  if (values === undefined) return undefined
  return {
    ...common(values),
    mode: 'production' as const,
    baseUrl: values.BASE_URL,
    frame: { origin: values.FRAME_BASE_URL ?? values.BASE_URL, port: undefined, isLasting: true },
    identityProvider: identityProvider(values),
    attestation: { measurements: values.ENCLAVE_MEASUREMENTS ?? [] },
  }
}

function readDevelopment(given: Environment, complain: Complain) {
  const values = parse(development, given, complain)
  if (values === undefined) return undefined
  const baseUrl = values.BASE_URL ?? `http://${values.HOST}:${values.PORT}`
  const { FRAME_BASE_URL: frameOrigin, FRAME_PORT: framePort } = values
  return {
    ...common(values),
    mode: 'development' as const,
    baseUrl,
    frame: {
      origin: frameOrigin ?? (framePort === undefined ? baseUrl : withPort(baseUrl, framePort)),
      port: framePort,
      isLasting: frameOrigin !== undefined,
    },
    identityProvider: identityProvider(values),
    attestation: { simulatedRootFile: values.ATTESTATION_ROOT },
  }
}

function withPort(origin: string, port: number): string {
  const url = new URL(origin)
  url.port = String(port)
  return url.origin
}

const identityProvider = (values: {
  OIDC_ISSUER?: string | undefined
  OIDC_CLIENT_ID?: string | undefined
  OIDC_CLIENT_SECRET?: string | undefined
}) => {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = values
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return undefined
  return { issuer, clientId, clientSecret }
}

const model = (values: z.output<z.ZodObject<typeof shared>>): ModelConfig | undefined => {
  const { AGENT_LLM_URL: at, AGENT_LLM_MODEL: name, AGENT_LLM_KIND: kind, AGENT_LLM_API_KEY: apiKey } = values
  return at === undefined || name === undefined ? undefined : { url: trimmed(at), kind, model: name, apiKey }
}

const trimmed = (text: string) => text.replace(/\/+$/, '')

function common(values: z.output<z.ZodObject<typeof shared>>) {
  return {
    port: values.PORT,
    host: values.HOST,
    workers: values.WORKERS,
    databaseUrl: values.DATABASE_URL,
    databaseConnections: values.DATABASE_CONNECTIONS,
    secretsFile: resolve(values.SECRETS_FILE),
    enclaveSocket: values.ENCLAVE_SOCKET,
    enclaveApiKey: values.ENCLAVE_API_KEY,
    smtpUrls: values.SMTP_URL,
    mailFrom: values.MAIL_FROM,
    trustedProxies: values.TRUSTED_PROXIES,
    metrics: { host: values.METRICS_HOST, port: values.METRICS_PORT },
    model: model(values),
    runDays: values.AGENT_RUN_RETENTION_DAYS,
    logLevel: values.LOG_LEVEL,
  }
}

function parse<schema extends z.ZodType>(
  schema: schema,
  given: Environment,
  complain: Complain,
): z.output<schema> | undefined {
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  for (const { path, message } of parsed.error.issues) {
    const name = String(path[0])
    complain(name, given[name] === undefined ? 'is missing' : message)
  }
  return undefined
}
