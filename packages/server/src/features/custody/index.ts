/** Whose keys seal the wallets: the ring of the enclave that this installation belongs to. */

export { epochsStore } from './epochs.store.ts'
export { ringsStore } from './rings.store.ts'
export { adoptRing, checkRing } from './rings.ts'
