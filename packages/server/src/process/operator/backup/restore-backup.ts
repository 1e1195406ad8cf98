import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import path from 'node:path'
import { systemIds } from '../../../adapters/system.ts'
import { openPool, type Reserved } from '../../../db/pool.ts'
import { runMigration } from '../../../db/run-migration.ts'
import { auditStore, rootOf } from '../../../features/audit/index.ts'
import { epochsStore, ringsStore } from '../../../features/custody/index.ts'
import { OperatorError } from '../operator-failure.ts'
import { type BackupManifest, readManifest } from './manifest.ts'
import { restoreStore } from './restore.store.ts'
import { snapshotStore } from './snapshot.store.ts'

/** What a restore did. */
export type RestoreReport = { epoch: number; backup_taken_at: string; organizations: number; tables: number }

/** The log of an organization as the database had it before the restore: its size, and its root at the backup's size or its own. */
type LogBefore = { size: number; comparedAt: number; root: Buffer }

/**
 * Puts a backup in the place of a database's content: all of it, or on any fault nothing. Every part is read and its hash compared before
 * the database is touched. Throws an `OperatorError` where the backup is damaged or of another installation, or where a service runs.
 */
export async function restoreBackup(databaseUrl: string, folder: string): Promise<RestoreReport> {
  const manifest = await readManifest(folder)
  await verifyParts(folder, manifest)
  const sql = openPool(databaseUrl, { connectionsMax: 1, isPatient: true })
  let connection: Reserved | undefined
  try {
    connection = await sql.reserve()
    if (await restoreStore.hasOthers(connection))
      throw new OperatorError('The service is connected to this database: stop every API process first.')
    if (!(await restoreStore.hasSchema(connection))) await runMigration(databaseUrl)
    await connection`begin`
    const report = await replaceContent(connection, folder, manifest)
    await connection`commit`
    return report
  } finally {
    // Without a commit, the end of the connection undoes everything.
    connection?.release()
    await sql.end({ timeout: 5 })
  }
}

async function verifyParts(folder: string, { parts }: BackupManifest): Promise<void> {
  for (const { file, sha256, bytes } of parts) {
    const hash = createHash('sha256')
    let size = 0
    for await (const chunk of createReadStream(path.join(folder, file)) as AsyncIterable<Buffer>) {
      hash.update(chunk)
      size += chunk.length
    }
    if (hash.digest('hex') !== sha256 || size !== bytes)
      throw new OperatorError(`${file} in ${folder} is not what the manifest says: the backup is damaged.`)
  }
}

async function replaceContent(
  tx: Reserved,
  folder: string,
  manifest: BackupManifest,
): Promise<RestoreReport> {
  const tables = await refuseUnfit(tx, manifest)
  const epochBefore = await epochsStore.current(tx)
  const before = await logsBefore(tx, manifest)
  const keys = await restoreStore.empty(tx, tables)
  for (const { table, columns, file } of manifest.parts) {
    const names = columns.map((column) => tx.identifier(column).text).join(', ')
    await tx.copyIn(
      `copy ${tx.identifier(table).text} (${names}) from stdin`,
      createReadStream(path.join(folder, file)),
    )
  }
  await restoreStore.close(tx, tables, keys)
  await restoreStore.raiseCounters(tx)
  await restoreStore.keepMarks(tx)
  await restoreStore.endSessions(tx)
  const epoch = await restoreStore.beginEpoch(tx, epochBefore, manifest.taken_at)
  await restoreStore.raiseVersions(tx, epoch)
  await restoreStore.noteWallets(tx)
  await recordRestore(tx, manifest, before, epoch)
  const { taken_at, checkpoints } = manifest
  return { epoch, backup_taken_at: taken_at, organizations: checkpoints.length, tables: tables.length }
}

/** The tables to fill. Throws where the database is of another schema, or has the organizations of another installation. */
async function refuseUnfit(tx: Reserved, { schema_version: version, ring_id, parts }: BackupManifest) {
  const { schemaVersion } = await snapshotStore.origin(tx)
  const tables = (await snapshotStore.tables(tx)).map(({ table }) => table)
  if (
    schemaVersion !== version ||
    tables.length !== parts.length ||
    parts.some(({ table }) => !tables.includes(table))
  )
    throw new OperatorError(
      `The backup has schema ${version} and the database ${schemaVersion}: restore with the build that made the backup, then migrate.`,
    )
  const { ringId } = await ringsStore.versions(tx)
  if ((await snapshotStore.logs(tx)).length > 0 && ringId !== ring_id)
    throw new OperatorError(
      'The database belongs to another installation: its key ring is not that of the backup.',
    )
  return tables
}

async function logsBefore(tx: Reserved, { checkpoints }: BackupManifest): Promise<Map<string, LogBefore>> {
  const logs = new Map<string, LogBefore>()
  for (const { organizationId, size } of await snapshotStore.logs(tx)) {
    const backup = checkpoints.find((one) => one.organization_id === organizationId)
    const comparedAt = Math.min(size, backup?.tree_size ?? 0)
    const root = Buffer.from(await rootOf({ sql: tx, organizationId }, comparedAt))
    logs.set(organizationId, { size, comparedAt, root })
  }
  return logs
}

/** Says in each audit log where it begins anew. `consistent`: of the two logs, the shorter is the beginning of the longer. */
async function recordRestore(
  tx: Reserved,
  { checkpoints, taken_at }: BackupManifest,
  logs: ReadonlyMap<string, LogBefore>,
  epoch: number,
): Promise<void> {
  const ids = systemIds()
  for (const { organization_id: organizationId, tree_size, root_hash } of checkpoints) {
    const log = { sql: tx, organizationId }
    if (Buffer.from(await rootOf(log, tree_size)).toString('base64') !== root_hash)
      throw new OperatorError(`The audit log of ${organizationId} is not the one that the manifest says.`)
    const before = logs.get(organizationId)
    const consistent = before === undefined || before.root.equals(await rootOf(log, before.comparedAt))
    const payload = {
      epoch,
      backup_taken_at: taken_at,
      tree_size_backup: tree_size,
      tree_size_before: before?.size ?? null,
      consistent,
    }
    const event = {
      organizationId,
      type: 'audit.restored' as const,
      actorType: 'system' as const,
      actorId: 'restore',
      payload,
      success: true,
    }
    await auditStore.commit(tx, [{ id: ids.next(), event }])
  }
}
