import type { ShareRow, ShareStorage } from './share-storage.ts'
import { newStorageKey } from './storage-key.ts'

/** Shares that are gone when the page is closed, where the browser lets us keep nothing. */
export function memoryStorage(): ShareStorage {
  const rows = new Map<string, ShareRow>()
  let key: Promise<CryptoKey> | undefined

  return {
    isDurable: false,
    key() {
      key ??= newStorageKey()
      return key
    },
    rows: async () => [...rows.values()],
    async change({ put = [], remove = [] }) {
      for (const id of remove) rows.delete(id)
      for (const row of put) rows.set(row.id, row)
    },
  }
}
