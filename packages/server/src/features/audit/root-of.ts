import { auditTreeStore } from './audit-tree.store.ts'
import { BrokenLogError, hashesAt, type OrganizationLog, rowLength } from './audit-tree.ts'
import { emptyRoot, nodeHash, rootOfRow } from './merkle.ts'

/** Roots of rows read at a time, or leaves: half a megabyte of hashes. */
const rowsPerRead = 4_096
/** A row has 2^8 leaves. */
const rowHeight = 8

/** A full subtree over 2^`height` leaves. */
type Peak = { height: number; hash: Uint8Array }

/**
 * The root over the first `size` events (RFC 6962 section 2.1), for whoever may store nothing. Rows without a stored root are hashed anew.
 * Throws a `BrokenLogError` where an event is missing.
 */
export async function rootOf(log: OrganizationLog, size: number): Promise<Uint8Array> {
  const peaks: Peak[] = []
  const rows = Math.floor(size / rowLength)
  const stored = Math.min(rows, await auditTreeStore.stored(log.sql, log.organizationId, 1))
  for (let row = 0; row < stored; row += rowsPerRead) {
    const count = Math.min(rowsPerRead, stored - row)
    const hashes = await hashesAt(log, 1, row, count)
    if (hashes.length !== count) throw new BrokenLogError('A part of the log is missing.')
    for (const hash of hashes) add(peaks, { height: rowHeight, hash })
  }
  for (let from = stored * rowLength; from < size; from += rowsPerRead) {
    const count = Math.min(rowsPerRead, size - from)
    const leaves = await hashesAt(log, 0, from, count)
    if (leaves.length !== count) throw new BrokenLogError('A part of the log is missing.')
    for (let at = 0; at < count; at += rowLength) {
      const row = leaves.slice(at, at + rowLength)
      if (row.length === rowLength) add(peaks, { height: rowHeight, hash: rootOfRow(row) })
      else for (const hash of row) add(peaks, { height: 0, hash })
    }
  }
  const last = peaks.pop()
  return last === undefined
    ? emptyRoot
    : peaks.reduceRight((root, { hash }) => nodeHash(hash, root), last.hash)
}

/** Adds a subtree on the right; two of one height become one. */
function add(peaks: Peak[], peak: Peak): void {
  const left = peaks.at(-1)
  if (left?.height !== peak.height) {
    peaks.push(peak)
    return
  }
  peaks.pop()
  add(peaks, { height: peak.height + 1, hash: nodeHash(left.hash, peak.hash) })
}
