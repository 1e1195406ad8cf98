import { dataFolderPath } from './data-folder.ts'

/** What `npm start` reads from the environment. `passedOn` goes to the API untouched. */
export type StartConfig = {
  host: string
  port: number
  dataFolder: string
  /** Whether the environment names the data folder. */
  isFolderChosen: boolean
  databaseUrl: string | undefined
  smtpUrl: string | undefined
  kms: string | undefined
  /** Whether the local chains run. */
  hasChain: boolean
  passedOn: Record<string, string>
}

/** Variables of the server that a developer may set for the API. */
const passable =
  /^(WORKERS|LOG_LEVEL|NODE_OPTIONS|OIDC_(?:ISSUER|CLIENT_ID|CLIENT_SECRET)|AGENT_LLM_(?:URL|KIND|MODEL|API_KEY)|AGENT_RUN_RETENTION_DAYS|VAULT_(?:TOKEN|TOKEN_FILE|NAMESPACE|CACERT)|KMS_KEY_(?:PROVIDER|RECOVERY|TEE_B|WEBHOOK|PII)|AWS_.+|GOOGLE_APPLICATION_CREDENTIALS|PKCS11_PIN(?:_FILE)?|TZ|PATH|HOME|LANG|SYMBOLON_(?!DATA_DIR|LOCAL_CHAINS).+)$/

/** Reads the environment. Throws with the name of a wrong variable and its accepted values. */
export function startConfig(environment: NodeJS.ProcessEnv): StartConfig {
  const host = environment['HOST'] || '127.0.0.1'
  if (!/^(127(\.\d{1,3}){3}|localhost|::1)$/.test(host))
    throw new Error(
      `HOST is ${host}: the development platform listens on the loopback interface only, such as 127.0.0.1`,
    )
  const portText = environment['PORT'] || '8080'
  const port = Number(portText)
  // Only what everybody reads as the same number.
  if (!/^[1-9]\d{0,4}$/.test(portText) || port > 65_535)
    throw new Error(`PORT is ${environment['PORT']}: it must be a number from 1 to 65535`)
  const chain = environment['SYMBOLON_CHAIN'] || 'on'
  if (chain !== 'on' && chain !== 'off')
    throw new Error(`SYMBOLON_CHAIN is ${chain}: it must be off (no local chain) or on`)
  return {
    host,
    port,
    hasChain: chain === 'on',
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
}
