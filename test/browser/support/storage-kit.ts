import { indexedDbStorage, shareStorageContract } from '@symbolon/iframe/testing'

/** The vault's durable storage and what every storage promises; bundled into a page as `storageKit`. */
export const kit = { indexedDbStorage, shareStorageContract }

declare global {
  var storageKit: typeof kit
}

globalThis.storageKit = kit
