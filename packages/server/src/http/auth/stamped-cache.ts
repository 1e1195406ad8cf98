import { lruMap } from '../../runtime/lru-map.ts'

const entriesMax = 10_000

/**
 * Keeps rows by key as long as their stamp, which the database reports with every request, stays the same; loads the others. A row
 * that was changed or revoked is therefore seen by the next request of every process.
 */
export function stampedCache<row extends { stamp: string }>(
  load: (keys: string[]) => Promise<Map<string, row>>,
): (stamps: Iterable<readonly [key: string, stamp: string]>) => Promise<Map<string, row>> {
  const cached = lruMap<string, row>(entriesMax)
  return async (stamps) => {
    const rows = new Map<string, row>()
    const missing = new Set<string>()
    for (const [key, stamp] of stamps) {
      const known = cached.get(key)
      if (known?.stamp === stamp) rows.set(key, known)
      else missing.add(key)
    }
    if (missing.size === 0) return rows
    for (const [key, row] of await load([...missing])) {
      cached.set(key, row)
      rows.set(key, row)
    }
    return rows
  }
}
