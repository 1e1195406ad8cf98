import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { openPool, type Reserved, type Sql } from '../../../db/pool.ts'
import { epochsStore, ringsStore } from '../../../features/custody/index.ts'
import { logHeads } from '../log-heads.ts'
import { OperatorError } from '../operator-failure.ts'
import { type BackupManifest, type BackupPart, manifestFile } from './manifest.ts'
import { type StoredTable, snapshotStore } from './snapshot.store.ts'

/** What was backed up, for the operator. */
export type BackupReport = {
  folder: string
  taken_at: string
  epoch: number
  ring_id: string | null
  schema_version: number
  organizations: number
  tables: number
  bytes: number
}

const copiers = 2

/**
 * Writes a consistent backup of a database into a new folder, while the service runs. The folder gets its name when all of it is on disk:
 * what an interrupted run leaves beside it is no backup. Throws an `OperatorError` where the folder is in use.
 */
export async function writeBackup(databaseUrl: string, to: string): Promise<BackupReport> {
  const folder = path.resolve(to)
  await refuseUsed(folder, to)
  const unfinished = `${folder}.unfinished-${process.pid}`
  await mkdir(path.dirname(folder), { recursive: true })
  await mkdir(unfinished, { mode: 0o700 })
  const sql = openPool(databaseUrl, { connectionsMax: 1, isPatient: true })
  try {
    const manifest = await writeSnapshot(sql, unfinished)
    await writeDurably(path.join(unfinished, manifestFile), `${JSON.stringify(manifest, null, 2)}\n`)
    await syncFolder(unfinished)
    await rename(unfinished, folder)
    await syncFolder(path.dirname(folder))
    return reportOf(manifest, folder)
  } finally {
    await sql.end({ timeout: 5 })
    await rm(unfinished, { recursive: true, force: true })
  }
}

async function refuseUsed(folder: string, name: string): Promise<void> {
  const found = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  if (found.length > 0) throw new OperatorError(`${name} is not empty: a backup needs a folder of its own.`)
}

/** Copies all tables under one snapshot, several at a time, and returns what the manifest says. */
async function writeSnapshot(sql: Sql, folder: string): Promise<BackupManifest> {
  const { holder, name } = await snapshotStore.export(sql)
  const members: Reserved[] = []
  try {
    const waiting = await snapshotStore.tables(holder)
    const parts: BackupPart[] = []
    const work = async () => {
      const member = await snapshotStore.join(sql, name)
      members.push(member)
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
        parts.push(await writePart(member, folder, next))
    }
    const [facts] = await Promise.all([factsOf(holder), ...Array.from({ length: copiers }, work)])
    return { ...facts, parts: parts.sort((a, b) => (a.table < b.table ? -1 : 1)) }
  } finally {
    for (const connection of [holder, ...members]) connection.release()
  }
}

async function factsOf(snapshot: Reserved): Promise<Omit<BackupManifest, 'parts'>> {
  const { takenAt, schemaVersion } = await snapshotStore.origin(snapshot)
  return {
    format: 1,
    taken_at: takenAt.toISOString(),
    epoch: await epochsStore.current(snapshot),
    ring_id: (await ringsStore.versions(snapshot)).ringId,
    schema_version: schemaVersion,
    checkpoints: await logHeads(snapshot),
  }
}

async function writePart(
  member: Reserved,
  folder: string,
  { table, columns }: StoredTable,
): Promise<BackupPart> {
  const file = `${table}.copy`
  const hash = createHash('sha256')
  let bytes = 0
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      bytes += chunk.length
      done(null, chunk)
    },
  })
  const target = createWriteStream(path.join(folder, file), { mode: 0o600, flags: 'wx', flush: true })
  const names = columns.map((column) => member.identifier(column).text).join(', ')
  await member.copyOut(`copy (select ${names} from ${member.identifier(table).text}) to stdout`, (source) =>
    pipeline(source, counted, target),
  )
  return { table, columns, file, bytes, sha256: hash.digest('hex') }
}

async function writeDurably(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** A name is on disk once its folder is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const reportOf = (manifest: BackupManifest, folder: string): BackupReport => ({
  folder,
  taken_at: manifest.taken_at,
  epoch: manifest.epoch,
  ring_id: manifest.ring_id,
  schema_version: manifest.schema_version,
  organizations: manifest.checkpoints.length,
  tables: manifest.parts.length,
  bytes: manifest.parts.reduce((sum, { bytes }) => sum + bytes, 0),
})
