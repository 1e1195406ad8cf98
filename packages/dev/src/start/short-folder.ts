import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** The kernel's limit for a unix socket's path is 108 bytes with its end mark on Linux, 104 on macOS. */
const socketPathBytesMax = 103

/**
 * A folder of mode 0700 for a socket: `<folder>/<name>`, or, where that makes the path too long for the kernel, one below
 * the system's temporary folder that always belongs to the same `folder`. Throws where somebody else made that.
 */
export function socketFolder(folder: string, name: string, socketName: string): string {
  const wanted = path.join(folder, name)
  const isShort = Buffer.byteLength(path.join(wanted, socketName)) <= socketPathBytesMax
  const digest = createHash('sha256').update(wanted).digest('hex').slice(0, 16)
  const chosen = isShort ? wanted : path.join(tmpdir(), `symbolon-${digest}`)
  mkdirSync(chosen, { recursive: true, mode: 0o700 })
  const stat = lstatSync(chosen)
  if (
    !stat.isDirectory() ||
    (process.getuid !== undefined && stat.uid !== process.getuid()) ||
    (stat.mode & 0o077) !== 0
  )
    throw new Error(`${chosen} must be a folder that you own, with mode 0700`)
  return chosen
}
