/**
 * Smart accounts of wallets on EVM chains (ERC-4337), and what their gas may cost the installation.
 * @module
 */
export { createAccountForAgent, type SmartAccountsCtx } from './smart-accounts.ts'
export { type Budget, sponsorshipStore } from './sponsorship.store.ts'
export { microEur, monthlyCapMicro } from './sponsorship.ts'
