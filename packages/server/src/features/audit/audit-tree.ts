import type { Queryable } from '../../db/pool.ts'
import { readEvents } from './audit-export.store.ts'
import { auditTreeStore, type StoredSubtree } from './audit-tree.store.ts'
import { exportLine } from './export-line.ts'
import { leafHash, merkleTree, rootOfRow } from './merkle.ts'

/** Leaves below a stored root of height 1, and roots of one height below one of the next. */
export const rowLength = 256
const rowBits = 8

/** 16,384 events at a time: a few MB, and a second or so of work. */
const rowsPerBatch = 64

/** Thrown when the log has an event missing: its ranks are dense, so somebody deleted it. */
export class BrokenLogError extends Error {
  override readonly name = 'BrokenLogError'
}

/** The Merkle log (RFC 6962) of one organization, whose leaves are the lines of its export, oldest first. */
export function auditTree(sql: Queryable, organizationId: string) {
  const rows = new Map<string, Promise<Uint8Array[]>>()

  async function leaves(from: number, count: number): Promise<Uint8Array[]> {
    const events = await readEvents(sql, organizationId, { from, count })
    events.forEach(({ rank }, i) => {
      if (rank !== from + i + 1) throw new BrokenLogError(`Event ${from + i + 1} of the log is missing.`)
    })
    return events.map((event) => leafHash(exportLine(organizationId, event)))
  }

  /** The row of 256 hashes of a height that a position lies in; the last one may be shorter. */
  function rowAt(height: number, row: number): Promise<Uint8Array[]> {
    const key = `${height}/${row}`
    const known = rows.get(key)
    if (known !== undefined) return known
    const from = row * rowLength
    const read =
      height === 0
        ? leaves(from, rowLength)
        : auditTreeStore.hashes(sql, organizationId, { height, from, count: rowLength })
    rows.set(key, read)
    return read
  }

  const { root, inclusion, consistency } = merkleTree(async (bits, position) => {
    const height = Math.floor(bits / rowBits)
    const span = 2 ** (bits % rowBits)
    const first = position * span
    const row = await rowAt(height, Math.floor(first / rowLength))
    const found = row.slice(first % rowLength, (first % rowLength) + span)
    if (found.length !== span) throw new BrokenLogError('A part of the log is missing.')
    return rootOfRow(found)
  })

  /** Stores the next roots of a height over full rows of the one below. Answers whether there may be more. */
  async function extendHeight(height: number, below: number): Promise<boolean> {
    const next = await auditTreeStore.stored(sql, organizationId, height)
    const full = Math.floor(below / rowLength)
    const count = Math.min(full - next, rowsPerBatch)
    if (count <= 0) return false
    const from = next * rowLength
    const hashes =
      height === 1
        ? await leaves(from, count * rowLength)
        : await auditTreeStore.hashes(sql, organizationId, {
            height: height - 1,
            from,
            count: count * rowLength,
          })
    if (hashes.length !== count * rowLength) throw new BrokenLogError('A part of the log is missing.')
    const subtrees: StoredSubtree[] = Array.from({ length: count }, (_, i) => ({
      height,
      position: next + i,
      hash: rootOfRow(hashes.slice(i * rowLength, (i + 1) * rowLength)),
    }))
    await auditTreeStore.insert(sql, organizationId, subtrees)
    return full - next > count
  }

  return {
    root,
    inclusion,
    consistency,

    /**
     * Stores the roots over full rows of the first `size` events, for at most about `budgetMs`. Answers whether all are there;
     * what was done stays done, so that calling again goes on.
     */
    async extend(size: number, budgetMs: number, nowMs: () => number): Promise<boolean> {
      const until = nowMs() + budgetMs
      let below = size
      for (let height = 1; below >= rowLength; height++) {
        while (await extendHeight(height, below)) if (nowMs() > until) return false
        below = Math.floor(below / rowLength)
      }
      return true
    },
  }
}
