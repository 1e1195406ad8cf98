/** Parts of the vault, for tests that run it outside of its frame. */
export { apiClient } from '../api/api-client.ts'
export type { Wallet } from '../api/wallet.ts'
export { type Handlers, talk } from '../connect/talk.ts'
export { type DeviceNotes, deviceNotes } from '../device/device-notes.ts'
export { createDialogs } from '../dialogs/create-dialogs.ts'
export type {
  AgreeView,
  CallsView,
  CodeView,
  ConfirmView,
  Dialogs,
  ExportView,
  RevealView,
  WaitView,
} from '../dialogs/dialogs.ts'
export { FrameFailure, toFrameError } from '../frame-failure.ts'
export { rebuildKey } from '../keys/rebuild-key.ts'
export { createVault } from '../methods/create-vault.ts'
export { commitShare, heldShares } from '../shares/device-shares.ts'
export { indexedDbStorage } from '../shares/indexed-db-storage.ts'
export { memoryStorage } from '../shares/memory-storage.ts'
export { shareStorageContract } from '../shares/share-storage.contract.ts'
export type { ShareStorage } from '../shares/share-storage.ts'
