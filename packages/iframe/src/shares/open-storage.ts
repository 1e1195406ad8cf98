import { indexedDbStorage } from './indexed-db-storage.ts'
import { memoryStorage } from './memory-storage.ts'
import type { ShareStorage } from './share-storage.ts'

/** Durable storage where the browser grants it, otherwise memory. Never rejects. */
export async function openStorage(factory: () => IDBFactory | undefined): Promise<ShareStorage> {
  try {
    const available = factory()
    return available === undefined ? memoryStorage() : await indexedDbStorage(available)
  } catch {
    return memoryStorage()
  }
}
