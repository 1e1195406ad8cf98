import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chownSync, lstatSync, mkdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { copyBinaries, type PostgresBinaries } from './postgres-binaries.ts'

/**
 * As whom and from where PostgreSQL runs: it refuses to run as root. `prefix` goes before every command line; `uid` and
 * `gid` are set if the process must change its user; `folder` and `native` are the paths for that user.
 */
export type PostgresIdentity = {
  mode: 'self' | 'user' | 'namespace'
  prefix: string[]
  folder: string
  native: string
  uid?: number
  gid?: number
}
type User = { uid: number; gid: number }

/**
 * Chooses the identity. An ordinary user stays who he is. Root becomes `postgres` or `nobody` where that user can reach
 * binaries and folder; else, such as below a 0700 directory, root in a user namespace that maps it to an ordinary user;
 * else, where the kernel forbids that (containers), the user again with binaries and data below `outside`.
 */
export function postgresIdentity(
  binaries: PostgresBinaries,
  folder: string,
  {
    mayUseNamespace = canUseNamespace,
    outside = '/var/tmp',
  }: { mayUseNamespace?: () => boolean; outside?: string } = {},
): PostgresIdentity {
  if (process.getuid?.() !== 0) {
    makeFolder(folder)
    return { mode: 'self', prefix: [], folder, native: binaries.native }
  }
  const owner = statSync(path.join(folder, 'data'), { throwIfNoEntry: false })
  const isRootsOwn = owner?.uid === 0
  const user = owner && !isRootsOwn ? { uid: owner.uid, gid: owner.gid } : lesserUser()
  if (!isRootsOwn && user && canReach(binaries.native, user) && canReach(path.dirname(folder), user)) {
    makeFolder(folder, user)
    return { mode: 'user', prefix: [], folder, native: binaries.native, ...user }
  }
  if (mayUseNamespace()) {
    makeFolder(folder)
    const prefix = ['unshare', '--user', '--map-user=1000', '--map-group=1000', '--']
    return { mode: 'namespace', prefix, folder, native: binaries.native }
  }
  if (user === undefined)
    throw new Error('PostgreSQL cannot run as root, and no unprivileged user exists: set DATABASE_URL')
  const shared = ownFolder(path.join(outside, 'symbolon-postgres'))
  const moved = path.join(shared, createHash('sha256').update(folder).digest('hex').slice(0, 16))
  makeFolder(moved, user)
  return { mode: 'user', prefix: [], folder: moved, native: copyBinaries(binaries, shared), ...user }
}

/** True where the user may enter every directory on the way; by the permission bits alone. */
export function canReach(target: string, { uid, gid }: User): boolean {
  for (let at = path.resolve(target); ; at = path.dirname(at)) {
    const stat = statSync(at, { throwIfNoEntry: false })
    if (stat) {
      const bit = stat.uid === uid ? 0o100 : stat.gid === gid ? 0o010 : 0o001
      if ((stat.mode & bit) === 0) return false
    }
    if (at === path.dirname(at)) return true
  }
}

function lesserUser(): User | undefined {
  for (const name of ['postgres', 'nobody']) {
    try {
      const ask = (flag: string) =>
        Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }))
      return { uid: ask('-u'), gid: ask('-g') }
    } catch {
      // No such user here.
    }
  }
  return undefined
}

function canUseNamespace(): boolean {
  const probe = spawnSync('unshare', ['--user', '--map-user=1000', '--map-group=1000', '--', 'true'], {
    stdio: 'ignore',
  })
  return probe.status === 0
}

function makeFolder(folder: string, owner?: User): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (owner && statSync(folder).uid !== owner.uid) chownSync(folder, owner.uid, owner.gid)
}

/** A folder in a place where everybody may write: trusted only while it is ours. */
function ownFolder(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o711 })
  const stat = lstatSync(folder)
  if (!stat.isDirectory() || stat.uid !== 0 || (stat.mode & 0o022) !== 0)
    throw new Error(`${folder} exists but does not belong to root: remove it`)
  return folder
}
