import { existsSync } from 'node:fs'
import { parseEnvelope, teeContext } from '@symbolon/crypto/node'
import {
  adoptRingFile,
  makeRingFile,
  oldKeyRing,
  openRingFile,
  ringFileState,
} from '@symbolon/enclave/file-root'
import { manifestFileOf, openManifestFile } from '@symbolon/enclave/manifest-file'
import { adoptRing, ringsStore } from '@symbolon/server/custody'
import { openPool, type Sql } from '@symbolon/server/pool'
import { runMigration } from '@symbolon/server/run-migration'
import { type DevCustody, makeDevManifest } from './dev-manifest.ts'
import { putBack } from './put-back.ts'

/**
 * Sees to the enclave's key ring once the database is up: makes the first one over a database that names none, and adopts the ring of
 * wallets from before rings had ids. It gets its first manifest with it, as does a ring from before there were any. A lost, damaged or foreign ring or
 * manifest is left alone: returns one sentence that names the file.
 */
export async function prepareRing(
  databaseUrl: string,
  file: string,
  custody: DevCustody,
): Promise<string | undefined> {
  const sql = openPool(databaseUrl, { connectionsMax: 1 })
  try {
    return (
      (await settle(sql, databaseUrl, file)) ??
      (await describe(sql, file)) ??
      (await settleManifest(sql, file, custody))
    )
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** Makes or adopts the ring where that is due; a sentence where it cannot be adopted. */
async function settle(sql: Sql, databaseUrl: string, file: string): Promise<string | undefined> {
  const { kind } = ringFileState(file)
  if (kind === 'unreadable') return undefined
  // A first start: the API migrates at the same time.
  if (!(await hasTable(sql, 'wallets'))) return void (kind === 'missing' && makeRingFile(file))
  if (!(await hasTable(sql, 'enclave_rings'))) await runMigration(databaseUrl)
  const { ring, isUnadopted } = await ringsStore.read(sql)
  if (kind === 'missing') return void (ring === undefined && !isUnadopted && makeRingFile(file))
  if (kind === 'ring' && !isUnadopted) return undefined
  return adopt(sql, file)
}

/** Names the ring of a file for the wallets that name none, if it opens them. */
async function adopt(sql: Sql, file: string): Promise<string | undefined> {
  const keys = oldKeyRing(file) ?? openRingFile(file).keys
  const samples = await ringsStore.samples(sql)
  const opensAll = samples.every(({ shareA, ...wallet }) => {
    try {
      keys.unwrap(parseEnvelope(shareA).wrappedKey, teeContext(wallet, 'tee-a')).fill(0)
      return true
    } catch {
      return false
    }
  })
  if (!opensAll) return `enclave-simulated: ${file} does not open the wallets of this database. ${putBack}`
  const state = ringFileState(file)
  const id = state.kind === 'ring' ? state.id : adoptRingFile(file)
  return (await adoptRing(sql, id))
    ? undefined
    : `enclave-simulated: ${file} is not the key ring of this database. ${putBack}`
}

/** The sentence for a ring that is not the database's. */
async function describe(sql: Sql, file: string): Promise<string | undefined> {
  const state = ringFileState(file)
  if (state.kind === 'unreadable')
    return `enclave-simulated: ${file} cannot be read as a key ring. ${putBack}`
  const { ring } = (await hasTable(sql, 'enclave_rings')) ? await ringsStore.read(sql) : {}
  if (state.kind !== 'ring') return `enclave-simulated: the key ring ${file} is missing. ${putBack}`
  if (ring === undefined) return undefined
  if (ring.id !== state.id)
    return `enclave-simulated: ${file} is the key ring of another installation. ${putBack}`
  return state.versions < ring.version
    ? `enclave-simulated: ${file} is older than the wallets of this database. ${putBack}`
    : undefined
}

/** Makes the first manifest where that is due: beside the ring of a database that names none, or of one that never had a manifest. */
async function settleManifest(sql: Sql, file: string, custody: DevCustody): Promise<string | undefined> {
  const place = manifestFileOf(file)
  if (!existsSync(place)) {
    const { ring } = (await hasTable(sql, 'enclave_rings')) ? await ringsStore.read(sql) : {}
    // Whoever has had a manifest has the key that signed it.
    if (ring !== undefined && existsSync(custody.keys.operator))
      return `enclave-simulated: the manifest ${place} of the key ring is missing. ${putBack}`
    makeDevManifest(file, custody)
  }
  try {
    openManifestFile(file)
    return undefined
  } catch {
    return `enclave-simulated: ${place} is not the manifest of this key ring. ${putBack}`
  }
}

async function hasTable(sql: Sql, name: string): Promise<boolean> {
  const [row] = await sql<{ exists: boolean }[]>`select to_regclass(${name}) is not null as exists`
  return row?.exists === true
}
