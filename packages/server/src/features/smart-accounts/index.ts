/**
 * Smart accounts of wallets on EVM chains.
 * @module
 */
export type { SponsorSpending } from './smart-accounts.ts'
