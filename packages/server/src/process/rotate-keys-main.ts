import { nitroPolicy } from '@symbolon/crypto/attestation'
import { enclaveSocket } from '../adapters/enclave-socket.ts'
import { PackageMissingError } from '../adapters/kms/installed.ts'
import { openKms } from '../adapters/kms/open-kms.ts'
import { pinoLog } from '../adapters/log-pino.ts'
import { type Config, ConfigError, readConfig } from '../config.ts'
import { openPool } from '../db/pool.ts'
import { checkRing, recordedKms } from '../features/custody/index.ts'
import type { SharePurpose } from '../features/wallets/rotation/rewrap.store.ts'
import { rewrapShares } from '../features/wallets/rotation/rewrap.ts'

const usage = `Usage: rotate-keys tee-b|provider|recovery [--rewrap-only]
       rotate-keys tee-a --rewrap-only

Creates a new version of the key-encryption key and wraps the data keys of all shares under it.
--rewrap-only resumes an interrupted run without making another version. tee-a is the enclave's key:
operators rotate it with symbolon enclave rotate.
The environment is that of the service; see docs/guides/keys.md.
`

/** EX_CONFIG of sysexits: fix the environment first. */
const misconfigured = 78

const purposes: readonly string[] = ['tee-a', 'tee-b', 'provider', 'recovery'] satisfies SharePurpose[]
const isPurpose = (text: string | undefined): text is SharePurpose =>
  text !== undefined && purposes.includes(text)

const [purpose, option, ...rest] = process.argv.slice(2)
const isKnown = (option === undefined || option === '--rewrap-only') && rest.length === 0
const isRotation = option === undefined
if (!isPurpose(purpose) || !isKnown || (purpose === 'tee-a' && isRotation)) {
  process.stderr.write(usage)
  process.exitCode = 2
} else {
  try {
    await rotateKeys(readConfig(process.env, 'production'), purpose, isRotation)
  } catch (error) {
    if (!(error instanceof ConfigError || error instanceof PackageMissingError)) throw error
    for (const line of error.message.split('\n')) process.stderr.write(`symbolon: ${line}\n`)
    process.exitCode = misconfigured
  }
}

async function rotateKeys(config: Config, purpose: SharePurpose, isRotation: boolean): Promise<void> {
  if (!('measurements' in config.attestation))
    throw new ConfigError('Keys can be rotated in production only.')
  if (config.attestation.measurements.length === 0) throw new ConfigError('ENCLAVE_MEASUREMENTS is missing.')
  const policy = nitroPolicy(config.attestation.measurements)
  const log = pinoLog(config.logLevel)
  const sql = openPool(config.databaseUrl, { connectionsMax: 2 })
  const enclave = enclaveSocket({
    path: config.enclaveSocket,
    policy,
    apiKey: config.enclaveApiKey,
    checkRing: (ring) => checkRing(sql, ring),
    log,
  })
  try {
    const ctx = { sql, kms: recordedKms(await openKms(config.kms), sql), enclave, log }
    if (isRotation && purpose !== 'tee-a')
      log.info({ purpose, version: (await ctx.kms.rotate(purpose)).version }, 'the key has a new version')
    const { version, rewrapped, failed } = await rewrapShares(ctx, purpose)
    process.stdout.write(
      `${purpose} version ${version}: ${rewrapped} shares rewrapped, ${failed.length} failed\n`,
    )
    for (const walletId of failed) process.stdout.write(`failed: ${walletId}\n`)
    process.exitCode = failed.length > 0 ? 1 : 0
  } finally {
    await enclave.close()
    await sql.end({ timeout: 5 })
  }
}
