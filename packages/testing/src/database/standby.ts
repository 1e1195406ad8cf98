import { execFileSync } from 'node:child_process'
import { appendFileSync, chownSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Postgres, startPostgres } from '@symbolon/dev/testing/postgres'
import { openPool } from '@symbolon/server/pool'

/** What a primary has to be started with. */
export const primarySettings = { wal_level: 'replica', max_wal_senders: 4 }

/** Starts a standby in `folder` that follows a running primary: from a low-level base copy, for the binaries have no `pg_basebackup`. */
export async function startStandby(primary: Postgres, folder: string): Promise<Postgres> {
  const data = path.join(folder, 'data')
  mkdirSync(folder)
  const sql = openPool(primary.url, { connectionsMax: 1, isPatient: true })
  // A backup belongs to its session.
  const session = await sql.reserve()
  await session`select pg_backup_start('standby', true)`
  execFileSync('cp', ['-a', primary.data, data])
  execFileSync('cp', ['-a', path.join(path.dirname(primary.data), 'password'), folder])
  const [stop] = await session<{ labelfile: string }[]>`select labelfile from pg_backup_stop()`
  session.release()
  await sql.end()

  for (const file of ['postmaster.pid', 'postmaster.opts']) rmSync(path.join(data, file), { force: true })
  const { uid, gid } = statSync(primary.data)
  chownSync(folder, uid, gid)
  const { hostname, port, username, password } = new URL(primary.url)
  const at = `host=${hostname} port=${port} user=${username} password=${password}`
  appendFileSync(path.join(data, 'postgresql.auto.conf'), `\nprimary_conninfo = '${at}'\n`)
  writeFileSync(path.join(data, 'backup_label'), stop?.labelfile ?? '')
  writeFileSync(path.join(data, 'standby.signal'), '')
  for (const file of ['backup_label', 'standby.signal']) chownSync(path.join(data, file), uid, gid)
  return startPostgres({ folder, isDurable: false, settings: primarySettings })
}
