import { identify, logout, startEmailOtp, verifyEmailOtp } from './routes/auth.ts'
import { listChains } from './routes/chains.ts'
import { broadcastTx, prepareTx } from './routes/evm.ts'
import { health, openapiDocument, ready } from './routes/health.ts'
import { jwks } from './routes/jwks.ts'
import { completeRecovery, getRecovery, initiateRecovery, verifyRecovery } from './routes/recovery.ts'
import {
  archiveWallet,
  createWalletFor,
  createWallets,
  getWallet,
  listWallets,
  unarchiveWallet,
} from './routes/s2s-wallets.ts'
import { getProviderShare } from './routes/shares.ts'
import { sign, signMine } from './routes/signing.ts'
import {
  createMySmartAccount,
  createSmartAccountFor,
  listMySmartAccounts,
  listSmartAccounts,
} from './routes/smart-accounts.ts'
import { buildUserOp, getUserOp, submitUserOp } from './routes/userops.ts'
import { createWallet, getMyWallet, listMyWallets } from './routes/wallets.ts'

/** Every route by name, in the order of the reference; the name is the `operationId` and the SDK's method. */
export const routes = {
  health,
  ready,
  openapiDocument,
  jwks,
  startEmailOtp,
  verifyEmailOtp,
  identify,
  logout,
  getMyWallet,
  listMyWallets,
  createWallet,
  getProviderShare,
  initiateRecovery,
  verifyRecovery,
  completeRecovery,
  getRecovery,
  signMine,
  sign,
  prepareTx,
  broadcastTx,
  listMySmartAccounts,
  createMySmartAccount,
  buildUserOp,
  submitUserOp,
  getUserOp,
  listWallets,
  getWallet,
  createWalletFor,
  createWallets,
  archiveWallet,
  unarchiveWallet,
  listSmartAccounts,
  createSmartAccountFor,
  listChains,
} as const
