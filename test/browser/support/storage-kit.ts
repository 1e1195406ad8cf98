import { indexedDbStorage } from '../../../packages/iframe/src/shares/indexed-db-storage.ts'
import { shareStorageContract } from '../../../packages/iframe/src/shares/share-storage.contract.ts'

/** The vault's durable storage and what every storage promises; bundled into a page as `storageKit`. */
export const kit = { indexedDbStorage, shareStorageContract }

declare global {
  var storageKit: typeof kit
}

globalThis.storageKit = kit
