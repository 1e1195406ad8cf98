/** Wallets from inside: lists, caches and rewrapping. */
export { signingWallets } from '../features/wallets/core/signing-wallets.ts'
export { listWallets, type WalletListQuery } from '../features/wallets/core/wallet-list.store.ts'
export { rewrapShares } from '../features/wallets/rotation/rewrap.ts'
