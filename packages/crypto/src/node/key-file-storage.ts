import { randomUUID } from 'node:crypto'
import {
  closeSync,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { KeyFileError } from './key-file-error.ts'
import { isCode } from './key-file-lock.ts'

const creation = '.new.'
const replacement = '.next.'

/** Identifies one state of a file: it changes whenever the file is replaced. */
export function fileStamp(path: string): string | undefined {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stat && `${stat.dev}:${stat.ino}:${stat.mtimeNs}:${stat.size}`
}

/**
 * Reads a file that only its owner may read; `undefined` when there is none. Throws
 * `KeyFileError('permissions')` when group or others have any right to it (POSIX modes; not checked on Windows).
 */
export function readPrivateFile(path: string): string | undefined {
  const descriptor = openExisting(path)
  if (descriptor === undefined) return undefined
  try {
    const stat = fstatSync(descriptor)
    const isPrivate = process.platform === 'win32' || (stat.mode & 0o077) === 0
    if (!stat.isFile() || !isPrivate) throw new KeyFileError('permissions', path)
    const bytes = readFileSync(descriptor)
    const text = bytes.toString('utf8')
    bytes.fill(0)
    return text
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Creates a file of mode 0600, complete and durable, or leaves the one that is there: of several processes exactly
 * one writes. Makes its folder (0700) when missing.
 */
export function createPrivateFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const draft = writeDraft(path, text, creation)
  try {
    linkSync(draft, path)
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  } finally {
    unlinkSync(draft)
  }
  syncFolder(path)
}

/**
 * Replaces a file by one of mode 0600: at every moment, also of a crash, the path holds the old or the new text. Only
 * one process at a time may do this.
 */
export function replacePrivateFile(path: string, text: string): void {
  removeLeftDrafts(path)
  renameSync(writeDraft(path, text, replacement), path)
  syncFolder(path)
}

// A process killed before its rename left keys that are in no file of record.
const removeLeftDrafts = (path: string): void => {
  const folder = dirname(path)
  for (const name of readdirSync(folder)) {
    if (name.startsWith(basename(path) + replacement)) unlinkSync(join(folder, name))
  }
}

const openExisting = (path: string): number | undefined => {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  }
}

const writeDraft = (path: string, text: string, infix: string): string => {
  const draft = `${path}${infix}${randomUUID()}`
  const descriptor = openSync(draft, 'wx', 0o600)
  try {
    writeFileSync(descriptor, text)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  return draft
}

const syncFolder = (path: string): void => {
  // Windows opens no folders; its rename is durable enough for a development machine.
  if (process.platform === 'win32') return
  const descriptor = openSync(dirname(path), 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
