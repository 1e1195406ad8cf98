import type { Queryable } from '../../db/pool.ts'
import { readEvents } from './audit-export.store.ts'
import { auditTreeStore, type StoredSubtree } from './audit-tree.store.ts'
import { exportLine } from './export-line.ts'
import { leafHash, type MerkleTree, merkleTree, rootOfRow } from './merkle.ts'

/** Leaves below a stored root of height 1, and roots of one height below one of the next. */
export const rowLength = 256
const rowBits = 8

/** 16,384 events at a time: a few MB, and a second or so of work. */
const rowsPerBatch = 64

/** Thrown when the log has an event missing: its ranks are dense, so somebody deleted it. */
export class BrokenLogError extends Error {
  override readonly name = 'BrokenLogError'
}

/** The log of one organization. */
export type OrganizationLog = { sql: Queryable; organizationId: string }

/** The Merkle log (RFC 6962) of one organization, whose leaves are the lines of its export, oldest first. Each row is read once. */
export function auditTree(log: OrganizationLog): MerkleTree {
  const rows = new Map<string, Promise<Uint8Array[]>>()
  return merkleTree(async (bits, position) => {
    const height = Math.floor(bits / rowBits)
    const span = 2 ** (bits % rowBits)
    const first = position * span
    const row = Math.floor(first / rowLength)
    const key = `${height}/${row}`
    const read = rows.get(key) ?? hashesAt(log, height, row * rowLength, rowLength)
    rows.set(key, read)
    const found = (await read).slice(first % rowLength, (first % rowLength) + span)
    if (found.length !== span) throw new BrokenLogError('A part of the log is missing.')
    return rootOfRow(found)
  })
}

/**
 * Stores the roots over full rows of the first `size` events, for at most about `budgetMs`. Returns whether all are there; what was done
 * stays done, so that calling again goes on.
 */
export async function extendTree(
  log: OrganizationLog,
  size: number,
  budgetMs: number,
  nowMs: () => number,
): Promise<boolean> {
  const until = nowMs() + budgetMs
  let below = size
  for (let height = 1; below >= rowLength; height++) {
    while (await extendHeight(log, height, below)) if (nowMs() > until) return false
    below = Math.floor(below / rowLength)
  }
  return true
}

/** Stores the next roots of a height over full rows of the one below. Returns whether there may be more. */
async function extendHeight(log: OrganizationLog, height: number, below: number): Promise<boolean> {
  const { sql, organizationId } = log
  const next = await auditTreeStore.stored(sql, organizationId, height)
  const full = Math.floor(below / rowLength)
  const count = Math.min(full - next, rowsPerBatch)
  if (count <= 0) return false
  const hashes = await hashesAt(log, height - 1, next * rowLength, count * rowLength)
  if (hashes.length !== count * rowLength) throw new BrokenLogError('A part of the log is missing.')
  const subtrees: StoredSubtree[] = Array.from({ length: count }, (_, i) => ({
    height,
    position: next + i,
    hash: rootOfRow(hashes.slice(i * rowLength, (i + 1) * rowLength)),
  }))
  await auditTreeStore.insert(sql, organizationId, subtrees)
  return full - next > count
}

/** Hashes of a height from a position on, those of leaves computed; fewer than `count` at the end of the log. */
export async function hashesAt(
  { sql, organizationId }: OrganizationLog,
  height: number,
  from: number,
  count: number,
): Promise<Uint8Array[]> {
  if (height > 0) return auditTreeStore.hashes(sql, organizationId, { height, from, count })
  const events = await readEvents(sql, organizationId, { from, count })
  events.forEach(({ rank }, i) => {
    if (rank !== from + i + 1) throw new BrokenLogError(`Event ${from + i + 1} of the log is missing.`)
  })
  return events.map((event) => leafHash(exportLine(organizationId, event)))
}
