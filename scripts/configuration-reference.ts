/**
 * Writes docs/reference/configuration.md from the schema that the service reads its environment with; with `--check` it only compares,
 * and exits 1 when the page is not what the schema says. Run: `npm run docs:generate`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chainSettings, priceSettings, productionSettings } from '@symbolon/server/config'
import * as z from 'zod'

const file = fileURLToPath(new URL('../docs/reference/configuration.md', import.meta.url))

/** Groups in reading order; a variable without a group goes to the last. */
const groups: readonly (readonly [title: string, variables: RegExp])[] = [
  ['Address', /^(BASE_URL|FRAME_BASE_URL|PORT|HOST|TRUSTED_PROXIES|METRICS_PORT|METRICS_HOST|WORKERS)$/],
  ['Database', /^DATABASE_/],
  ['Keys and enclave', /^(KMS|VAULT_|GOOGLE_|PKCS11_|SECRETS_FILE|ENCLAVE_)/],
  ['Mail', /^(SMTP|MAIL)_/],
  ['Portal login', /^OIDC_/],
  ['Agents', /^AGENT_/],
  ['Other', /^/],
]

const row = (name: string, needed: string, text: string) => `| \`${name}\` | ${needed} | ${text} |`
const table = (rows: readonly string[]) =>
  ['| Variable | Default | Meaning |', '|---|---|---|', ...rows].join('\n')

/** "required", the default, or nothing for a variable that may be absent. */
function defaultOf(schema: z.ZodType): string {
  if (schema instanceof z.ZodDefault) {
    const { data } = schema.safeParse(undefined)
    return Array.isArray(data) ? '' : `\`${String(data)}\``
  }
  return schema instanceof z.ZodOptional ? '' : '**required**'
}

function serviceSections(): string[] {
  const left = new Map(Object.entries(productionSettings))
  return groups.flatMap(([title, variables]) => {
    const rows = [...left]
      .filter(([name]) => variables.test(name))
      .map(([name, schema]) => {
        left.delete(name)
        if (schema.description === undefined) throw new Error(`${name} has no description in config.ts`)
        return row(name, defaultOf(schema), schema.description)
      })
    return rows.length === 0 ? [] : [`### ${title}\n\n${table(rows)}`]
  })
}

const chainRows = Object.entries(chainSettings).map(([kind, text]) =>
  row(`SYMBOLON_${kind}__<HANDLE>`, '', text),
)
const priceRows = Object.entries(priceSettings).map(([name, text]) => row(name, '', text))

const page = `# Configuration

All settings are environment variables, read once at startup. If any is missing or wrong, the process exits with code 78 before it contacts
anything, and says so in one line for each: the variable and what it must be, never its value. Empty variables count as absent.

Secrets can come from files: instead of \`DATABASE_URL\`, \`ENCLAVE_API_KEY\`, \`SMTP_URL\`, \`OIDC_CLIENT_SECRET\` or \`AGENT_LLM_API_KEY\`, set the
variable with \`_FILE\` at its end to the path of a file. A line break at the end of the file is ignored.

## The service

\`npm run start:prod\` reads these. \`npm start\` sets them all for development; values that you set yourself take precedence.

${serviceSections().join('\n\n')}

### EVM chains

Variables that configure a chain end in its handle, in upper case and with \`_\` for \`-\`: \`SYMBOLON_RPC__BASE_SEPOLIA\`. Without any, the
routes for EVM transactions and smart accounts answer 404. URLs can contain keys: they never appear in logs or answers.

${table(chainRows)}

### Prices

Sponsoring gas needs the price of the chain's coin in EUR. Without a fresh and plausible price, nothing is sponsored.

${table(priceRows)}

## The enclave

\`npm run start:enclave\` reads these. They come from a host that the enclave does not trust: all they can do is keep it from serving.

${table([
  row(
    'ENCLAVE_KEY_FILE',
    '–',
    "The enclave's key ring, instead of `ENCLAVE_ROOT`, with its manifest beside it. The enclave never makes either: see [The enclave](../guides/production.md#the-enclave).",
  ),
  row(
    'ENCLAVE_ROOT',
    '**required** without `ENCLAVE_KEY_FILE`',
    'Where the key ring comes from at boot: `kms:<key arn>`, `quorum` or `peer`. This version waits for such a ring and serves nothing.',
  ),
  row('ENCLAVE_MANIFEST', '**required** with `ENCLAVE_ROOT`', 'Path of the manifest.'),
  row(
    'ENCLAVE_PEERS',
    '**required** with `ENCLAVE_ROOT=peer`',
    'Addresses of other enclaves, separated by commas.',
  ),
  row('ENCLAVE_SOCKET', '`/run/enclave/socket`', 'Unix socket that it listens on, in a folder of mode 0700.'),
  row(
    'ENCLAVE_NSM_SOCKET',
    '`/run/nsm/socket`',
    'Unix socket of the bridge to the Nitro Secure Module, which issues attestation documents.',
  ),
])}

## Development

\`npm start\` also reads these.

${table([
  row('SYMBOLON_DATA_DIR', '`.symbolon`', 'Folder of the database, keys, logs, chain state and `dev.json`.'),
  row(
    'STATE_ACCEPTANCE',
    '`automatic`',
    'With `operators`, agent sessions from before a restart of the enclave sign only after `symbolon enclave accept-state`.',
  ),
  row('SYMBOLON_CHAIN', '`on`', '`off` starts no local chains and no bundlers.'),
  row('DATABASE_URL', 'embedded PostgreSQL 18', 'A database of your own.'),
  row('SMTP_URL', 'development mailbox', 'A mail server of your own.'),
])}
`

function main(): void {
  if (!process.argv.includes('--check')) {
    writeFileSync(file, page)
    process.stdout.write('docs/reference/configuration.md\n')
  } else if (readFileSync(file, 'utf8') !== page) {
    process.stderr.write('docs/reference/configuration.md is out of date; run `npm run docs:generate`\n')
    process.exitCode = 1
  }
}

main()
