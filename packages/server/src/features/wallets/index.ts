/**
 * Keys in shares: wallets and the sealed shares they sign with (`core`), the shares of users' clients (`shares`), their recovery (`recovery`), export
 * and import of keys (`transfer`), and new versions of the key-encryption keys (`rotation`).
 * @module
 */
export type { EvmWallet, EvmWallets } from './core/evm-wallets.store.ts'
export { type GuardFailure, guardFailure } from './core/guard-failure.ts'
export { walletIdOf } from './core/signing-wallets.store.ts'
export type { ReadyWallet, SigningWallets } from './core/signing-wallets.ts'
