import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import * as z from 'zod'
import type { Complain, Environment } from '../environment.ts'
import { serviceAccount } from './google-token.ts'
import { type ApiPurpose, apiPurposes } from './key-service.ts'
import type { AwsConfig } from './kms-aws.ts'
import type { GcpConfig } from './kms-gcp.ts'
import type { Pkcs11Config } from './kms-pkcs11.ts'
import type { VaultConfig } from './kms-vault.ts'

/** Which key service the API side uses, and how it gets there. */
export type KmsConfig =
  | { kind: 'local'; path: string }
  | ({ kind: 'vault' } & VaultConfig)
  | ({ kind: 'aws' } & AwsConfig)
  | ({ kind: 'gcp' } & GcpConfig)
  | ({ kind: 'pkcs11' } & Pkcs11Config)

const vaultForm = 'vault:https://<host>:<port>/<mount>/<prefix of the keys>'
const gcpForm =
  'gcp:projects/<project>/locations/<location>/keyRings/<key ring>/cryptoKeys/<prefix of the keys>'
const pkcs11Form = 'pkcs11:token=<label>;object=<prefix of the keys>?module-path=<path of the library>'
const awsKeyOf = (purpose: ApiPurpose) =>
  z.string().min(1).optional().describe(`ARN of the AWS KMS key for \`${purpose}\`. Needed with \`KMS=aws\`.`)

/** The variables of the key service, for the schema of the service. */
export const kmsSettings = {
  KMS: z
    .string()
    .regex(
      /^(local:.+|vault:.+|aws|gcp:.+|pkcs11:.+)$/,
      `must be local:<path of the key file>, ${vaultForm}, aws, ${gcpForm} or ${pkcs11Form}`,
    )
    .describe(
      'Key-encryption keys of the API side. `local:<path>`: a file of mode 0600, which the first start over an empty database creates; back it up separately from the database. `vault:https://<host>:<port>/<mount>/<prefix>`: the transit keys `<prefix>-provider`, `-recovery`, `-tee-b`, `-webhook` and `-pii` of Vault or OpenBao. `aws`: the keys of AWS KMS that `KMS_KEY_…` name. `gcp:projects/<project>/locations/<location>/keyRings/<key ring>/cryptoKeys/<prefix>`: the keys `<prefix>-provider` and so on of Google Cloud KMS. `pkcs11:token=<label>;object=<prefix>?module-path=<path>`: the keys of those labels in a hardware security module. See [Production](../guides/production.md#key-management).',
    ),
  VAULT_TOKEN: z.string().min(1).optional().describe('Token for Vault or OpenBao.'),
  VAULT_TOKEN_FILE: z
    .string()
    .min(1)
    .optional()
    .describe(
      'File with that token instead, such as the sink of an agent. It is read again when the token is refused.',
    ),
  VAULT_NAMESPACE: z.string().min(1).optional().describe('Namespace of the transit engine.'),
  VAULT_CACERT: z
    .string()
    .min(1)
    .optional()
    .describe(
      "File of PEM certificates that Vault's certificate is checked against. By default, Node's own.",
    ),
  KMS_KEY_PROVIDER: awsKeyOf('provider'),
  KMS_KEY_RECOVERY: awsKeyOf('recovery'),
  KMS_KEY_TEE_B: awsKeyOf('tee-b'),
  KMS_KEY_WEBHOOK: awsKeyOf('webhook'),
  KMS_KEY_PII: awsKeyOf('pii'),
  GOOGLE_APPLICATION_CREDENTIALS: z
    .string()
    .min(1)
    .optional()
    .describe(
      "JSON file of a service account's key, for `KMS=gcp:…`. By default, tokens come from the metadata server of the machine or pod.",
    ),
  PKCS11_PIN: z.string().min(1).optional().describe('PIN of the token, for `KMS=pkcs11:…`.'),
  PKCS11_PIN_FILE: z.string().min(1).optional().describe('File with that PIN instead.'),
}

const settingsSchema = z.object(kmsSettings)
type KmsSettings = z.output<typeof settingsSchema>

/** Reads the settings of the key service, and gives undefined where they are wrong. What `kmsSettings` refuses is its schema's to complain of. */
export function readKmsConfig(environment: Environment, complain: Complain): KmsConfig | undefined {
  const { data: settings } = settingsSchema.safeParse(environment)
  if (settings === undefined) return undefined
  const [kind = '', ...place] = settings.KMS.split(':')
  if (kind === 'aws') return awsConfig(settings, complain)
  if (kind === 'gcp') return gcpConfig(place.join(':'), settings, complain)
  if (kind === 'pkcs11') return pkcs11Config(place.join(':'), settings, complain)
  if (kind === 'vault') return vaultConfig(place.join(':'), settings, complain)
  return { kind: 'local', path: resolve(place.join(':')) }
}

const name = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,79}$/

function vaultConfig(address: string, settings: KmsSettings, complain: Complain): KmsConfig | undefined {
  const place = transitPlace(address)
  if (place === undefined) complain('KMS', `must be ${vaultForm}; http:// on this machine only`)
  const token = vaultToken(settings, complain)
  const ca = readable('VAULT_CACERT', settings.VAULT_CACERT, complain)
  const isComplete = settings.VAULT_CACERT === undefined || ca !== undefined
  if (place === undefined || token === undefined || !isComplete) return undefined
  return { kind: 'vault', ...place, namespace: settings.VAULT_NAMESPACE, token, ca }
}

function transitPlace(address: string): Pick<VaultConfig, 'address' | 'mount' | 'prefix'> | undefined {
  const url = URL.parse(address)
  if (url === null || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    return undefined
  // The agents of Vault and OpenBao listen on the machine itself, without TLS.
  const isLoopback = /^(127(\.\d{1,3}){3}|localhost|\[::1\])$/.test(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback)) return undefined
  const parts = url.pathname.slice(1).split('/')
  const prefix = parts.pop() ?? ''
  if (parts.length === 0 || ![...parts, prefix].every((part) => name.test(part))) return undefined
  return { address: url.origin, mount: parts.join('/'), prefix }
}

function vaultToken(
  { VAULT_TOKEN: value, VAULT_TOKEN_FILE: file }: KmsSettings,
  complain: Complain,
): VaultConfig['token'] | undefined {
  if (value !== undefined && file !== undefined) {
    complain('VAULT_TOKEN', 'cannot be set together with VAULT_TOKEN_FILE')
    return undefined
  }
  if (value !== undefined) return { value }
  if (file === undefined) {
    complain('VAULT_TOKEN_FILE', 'or VAULT_TOKEN is needed with KMS=vault:…')
    return undefined
  }
  return readable('VAULT_TOKEN_FILE', file, complain) === undefined ? undefined : { file: resolve(file) }
}

function readable(variable: string, file: string | undefined, complain: Complain): string | undefined {
  if (file === undefined) return undefined
  try {
    return readFileSync(file, 'utf8')
  } catch {
    complain(variable, 'must be a file that the service can read')
    return undefined
  }
}

const keyArn = /^arn:aws[a-z-]*:kms:([a-z0-9-]+):\d{12}:key\/[A-Za-z0-9-]{1,64}$/
const awsVariables = {
  provider: 'KMS_KEY_PROVIDER',
  recovery: 'KMS_KEY_RECOVERY',
  'tee-b': 'KMS_KEY_TEE_B',
  webhook: 'KMS_KEY_WEBHOOK',
  pii: 'KMS_KEY_PII',
} as const satisfies Record<ApiPurpose, keyof typeof kmsSettings>

function awsConfig(settings: KmsSettings, complain: Complain): KmsConfig | undefined {
  const keys = new Map<ApiPurpose, string>()
  const owners = new Map<string, string>()
  const regions = new Set<string>()
  for (const purpose of apiPurposes) {
    const variable = awsVariables[purpose]
    const arn = settings[variable] ?? ''
    const [, region] = keyArn.exec(arn) ?? []
    const owner = owners.get(arn)
    if (region === undefined)
      complain(variable, 'must be arn:aws:kms:<region>:<account>:key/<id> with KMS=aws, not an alias')
    // Whoever may use one key must not be able to open what is under the other.
    else if (owner !== undefined) complain(variable, `must name another key than ${owner}`)
    else {
      keys.set(purpose, arn)
      owners.set(arn, variable)
      regions.add(region)
    }
  }
  const [region = '', ...others] = regions
  if (others.length > 0) complain('KMS_KEY_PROVIDER', 'must be in the region of the other keys')
  if (keys.size < apiPurposes.length || others.length > 0) return undefined
  const arnOf = (purpose: ApiPurpose) => keys.get(purpose) ?? ''
  return {
    kind: 'aws',
    region,
    keys: {
      provider: arnOf('provider'),
      recovery: arnOf('recovery'),
      'tee-b': arnOf('tee-b'),
      webhook: arnOf('webhook'),
      pii: arnOf('pii'),
    },
  }
}

const gcpPrefix =
  /^projects\/[a-z0-9.:-]{4,63}\/locations\/[a-z0-9-]{1,40}\/keyRings\/[A-Za-z0-9_-]{1,63}\/cryptoKeys\/[A-Za-z0-9_-]{1,53}$/
const keyIdLengthMax = 240

function gcpConfig(prefix: string, settings: KmsSettings, complain: Complain): KmsConfig | undefined {
  const { GOOGLE_APPLICATION_CREDENTIALS: file } = settings
  const isPrefix = gcpPrefix.test(prefix) && prefix.length <= keyIdLengthMax
  if (!isPrefix) complain('KMS', `must be ${gcpForm}`)
  if (file === undefined) return isPrefix ? { kind: 'gcp', prefix, account: undefined } : undefined
  try {
    const account = serviceAccount(readFileSync(file, 'utf8'))
    return isPrefix ? { kind: 'gcp', prefix, account } : undefined
  } catch {
    complain('GOOGLE_APPLICATION_CREDENTIALS', "must be a readable JSON file of a service account's key")
    return undefined
  }
}

// RFC 7512, as far as it is needed.
const pkcs11Uri = /^token=([^;?&]+);object=([A-Za-z0-9_-]{1,53})\?module-path=(\/[^?&]+)$/

function pkcs11Config(uri: string, settings: KmsSettings, complain: Complain): KmsConfig | undefined {
  const [, label = '', prefix = '', path = ''] = pkcs11Uri.exec(uri) ?? []
  const token = decoded(label)
  const modulePath = decoded(path)
  // A label becomes part of the key ids in envelopes, which have no spaces.
  const isToken = /^[\x21-\x7e]{1,32}$/.test(token) && modulePath !== ''
  if (!isToken) complain('KMS', `must be ${pkcs11Form}; a label has 1 to 32 printable ASCII characters`)
  const pin = pkcs11Pin(settings, complain)
  return isToken && pin !== undefined ? { kind: 'pkcs11', token, prefix, modulePath, pin } : undefined
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

function pkcs11Pin(
  { PKCS11_PIN: pin, PKCS11_PIN_FILE: file }: KmsSettings,
  complain: Complain,
): string | undefined {
  if ((pin === undefined) === (file === undefined)) {
    complain('PKCS11_PIN_FILE', 'or PKCS11_PIN is needed with KMS=pkcs11:…, but not both')
    return undefined
  }
  return pin ?? readable('PKCS11_PIN_FILE', file, complain)?.replace(/\r?\n$/, '')
}
