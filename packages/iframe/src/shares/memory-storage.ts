import { newNonce } from './new-nonce.ts'
import type { ShareRow, ShareStorage } from './share-storage.ts'
import { newStorageKey } from './storage-key.ts'

/** Shares that are gone when the page is closed, where the browser lets us keep nothing. */
export function memoryStorage(): ShareStorage {
  const rows = new Map<string, ShareRow>()
  const nonce = newNonce()
  let key: Promise<CryptoKey> | undefined

  return {
    isDurable: false,
    key() {
      key ??= newStorageKey()
      return key
    },
    nonce: async () => nonce,
    rows: async () => [...rows.values()],
    async change({ put = [], remove = [] }) {
      for (const id of remove) rows.delete(id)
      for (const row of put) rows.set(row.id, row)
    },
  }
}
