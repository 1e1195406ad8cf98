import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { isComplete } from '@symbolon/crypto/attestation'
import * as z from 'zod'
import type { Complain, Environment } from './adapters/environment.ts'
import { type ChainConfig, readChainConfig } from './adapters/evm/chain-config.ts'
import { type KmsConfig, kmsSettings, readKmsConfig } from './adapters/kms/kms-config.ts'
import type { ModelConfig } from './adapters/models/configured-model.ts'
import { wholeNumber } from './adapters/whole-number.ts'
import { databaseUrlComplaint } from './db/tls-options.ts'

const url = (protocols: string[], wants: string) =>
  z.string().refine((text) => protocols.includes(URL.parse(text)?.protocol ?? ''), wants)
const databaseUrl = z.string().superRefine((text, context) => {
  const complaint = databaseUrlComplaint(text)
  if (complaint !== undefined) context.addIssue({ code: 'custom', message: complaint })
})
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
)
function isAddressOrRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const bitsMax = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0
  if (bits === undefined || rest.length > 0) return bitsMax > 0 && rest.length === 0
  return /^\d{1,3}$/.test(bits) && Number(bits) > 0 && Number(bits) <= bitsMax
}
const registers = z
  .record(z.string().regex(/^\d{1,2}$/), z.string().regex(/^[0-9a-f]{96}$/))
  .refine(isComplete, 'PCR 0, 1 and 2 of each enclave, none of them all zero')

const shared = {
  PORT: wholeNumber(0, 65_535).default(8080).describe('Port of the API.'),
  HOST: z.string().min(1).default('127.0.0.1').describe('Address the API listens on.'),
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
      'Pepper and token secrets: the path of a file of mode 0600, created if it does not exist. All machines of an installation share one.',
    ),
  ENCLAVE_SOCKET: z.string().min(1).describe('Unix socket of the enclave, or of the bridge to it.'),
  SMTP_URL: list
    .pipe(
      z
        .array(url(['smtp:', 'smtps:'], 'one or two smtp:// or smtps:// URLs'))
        .min(1)
        .max(2),
    )
    .describe('Mail servers: one or two `smtps://user:password@host`, separated by a comma.'),
  MAIL_FROM: z.string().min(3).default('Symbolon <no-reply@localhost>').describe('Sender of all email.'),
  OIDC_CLIENT_ID: z.string().min(1).optional().describe('Client id at the OpenID Connect provider.'),
  OIDC_CLIENT_SECRET: z.string().min(1).optional().describe('Client secret at the OpenID Connect provider.'),
  TRUSTED_PROXIES: list
    .pipe(z.array(z.string().refine(isAddressOrRange, 'IP addresses or CIDR ranges, separated by commas')))
    .default([])
    .describe('Addresses or CIDR ranges, separated by commas, whose `X-Forwarded-For` is trusted.'),
  AGENT_LLM_URL: url(['http:', 'https:'], 'an http:// or https:// URL')
    .optional()
    .describe(
      'API of the language model for `llm` agents, such as `https://api.openai.com/v1`. Without it, `llm` agents are unavailable.',
    ),
  AGENT_LLM_KIND: z
    .enum(['openai', 'anthropic'])
    .default('openai')
    .describe('Kind of the API at `AGENT_LLM_URL`: `openai` or `anthropic`.'),
  AGENT_LLM_MODEL: z.string().min(1).optional().describe('Name of the model. Needed with `AGENT_LLM_URL`.'),
  AGENT_LLM_API_KEY: z.string().min(1).optional().describe('Key for the model.'),
  AGENT_RUN_RETENTION_DAYS: wholeNumber(0, 36_500)
    .default(90)
    .describe(
      'Days that agent runs are kept after their end, with journals, A2A tasks and hook deliveries. 0 keeps them forever. The audit log always stays.',
    ),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])
    .default('info')
    .describe('`fatal`, `error`, `warn`, `info`, `debug` or `silent`.'),
}

const baseUrl = 'Address that users see. It is the issuer of tokens and the origin of the platform.'
const issuer =
  'OpenID Connect provider that portal users log in with. Register `<BASE_URL>/v1/auth/callback` there; it must send a verified `email`.'

const development = z.object({
  ...shared,
  BASE_URL: url(['http:', 'https:'], 'an http:// or https:// URL').optional().describe(baseUrl),
  OIDC_ISSUER: url(['http:', 'https:'], 'an http:// or https:// URL').optional().describe(issuer),
  ATTESTATION_ROOT: z
    .string()
    .min(1)
    .describe('Root certificate of simulated attestation. Development sets it.'),
})

const production = z.object({
  ...shared,
  BASE_URL: url(['https:'], 'an https:// URL').describe(baseUrl),
  OIDC_ISSUER: url(['https:'], 'an https:// URL').describe(issuer),
  OIDC_CLIENT_ID: shared.OIDC_CLIENT_ID.unwrap().describe('Client id at the OpenID Connect provider.'),
  OIDC_CLIENT_SECRET: shared.OIDC_CLIENT_SECRET.unwrap().describe(
    'Client secret at the OpenID Connect provider.',
  ),
  ENCLAVE_MEASUREMENTS: z
    .string()
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown
      } catch {
        context.addIssue('a JSON array of {PCR index: 96 hex digits}')
        return z.NEVER
      }
    })
    .pipe(z.array(registers).min(1))
    .describe('Measurements that you accept, as JSON: `[{"0":"…","1":"…","2":"…"}]`, 96 hex digits each.'),
})

export { chainSettings } from './adapters/evm/chain-config.ts'
export { priceSettings } from './adapters/prices/price-config.ts'

/** The variables of a production service, which the configuration reference is generated from. */
export const productionSettings: Readonly<Record<string, z.ZodType>> = production.shape

/** The settings of the service, from its environment. `attestation` says which enclave it talks to. */
export type Config = {
  mode: 'development' | 'production'
  port: number
  host: string
  workers: number | undefined
  baseUrl: string
  databaseUrl: string
  databaseConnections: number
  kms: KmsConfig
  secretsFile: string
  enclaveSocket: string
  attestation: { simulatedRootFile: string } | { measurements: Record<number, string>[] }
  smtpUrls: string[]
  mailFrom: string
  /** Where portal users log in; a development server may have none. */
  identityProvider: { issuer: string; clientId: string; clientSecret: string } | undefined
  trustedProxies: string[]
  /** The language model that `llm` agents work with, if there is one. */
  model: ModelConfig | undefined
  /** Days that runs of agents are kept after their end; 0: for ever. */
  runDays: number
  logLevel: string
} & ChainConfig

/** The environment is invalid. The message names each variable and the values it accepts, never the value given. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** Reads the environment, once, at the start. Throws `ConfigError`. */
export function readConfig(environment: Record<string, string | undefined>, mode: Config['mode']): Config {
  // Shells often pass an unset variable as an empty one.
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const complaints = new Set<string>()
  const complain: Complain = (variable, wants) => complaints.add(`  ${variable}: ${wants}`)
  const chains = readChainConfig(given, complain)
  if (given['AGENT_LLM_URL'] !== undefined && given['AGENT_LLM_MODEL'] === undefined)
    complain('AGENT_LLM_MODEL', 'needed with AGENT_LLM_URL')
  const kms = readKmsConfig(given, complain)
  const rest = mode === 'production' ? readProduction(given, complaints) : readDevelopment(given, complaints)
  if (rest === undefined || kms === undefined || complaints.size > 0) {
    throw new ConfigError(`The environment is invalid:\n${[...complaints].join('\n')}`)
  }
  return { ...rest, ...chains, kms }
}

function readProduction(given: Environment, complaints: Set<string>) {
  const values = parse(production, given, complaints)
  if (values === undefined) return undefined
  const { ENCLAVE_MEASUREMENTS: measurements, BASE_URL: baseUrl } = values
  return {
    ...common(values),
    mode: 'production' as const,
    baseUrl: trimmed(baseUrl),
    identityProvider: identityProvider(values),
    attestation: { measurements },
  }
}

function readDevelopment(given: Environment, complaints: Set<string>) {
  const values = parse(development, given, complaints)
  if (values === undefined) return undefined
  return {
    ...common(values),
    mode: 'development' as const,
    baseUrl: trimmed(values.BASE_URL ?? `http://${values.HOST}:${values.PORT}`),
    identityProvider: identityProvider(values),
    attestation: { simulatedRootFile: values.ATTESTATION_ROOT },
  }
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
    smtpUrls: values.SMTP_URL,
    mailFrom: values.MAIL_FROM,
    trustedProxies: values.TRUSTED_PROXIES,
    model: model(values),
    runDays: values.AGENT_RUN_RETENTION_DAYS,
    logLevel: values.LOG_LEVEL,
  }
}

function parse<schema extends z.ZodType>(
  schema: schema,
  given: Environment,
  complaints: Set<string>,
): z.output<schema> | undefined {
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  for (const { path, message } of parsed.error.issues) {
    const name = String(path[0])
    complaints.add(given[name] === undefined ? `  ${name} is missing` : `  ${name}: ${message}`)
  }
  return undefined
}
