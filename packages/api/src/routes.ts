import { callAgent, callAgentTools, getAgentCard, getLegacyAgentCard } from './routes/a2a.ts'
import {
  createAgentHook,
  deliverToAgentHook,
  listAgentHooks,
  removeAgentHook,
  rotateAgentHookSecret,
} from './routes/agent-hooks.ts'
import { getMyAgentSession, sendAsAgent, signAsAgent } from './routes/agent-lane.ts'
import {
  cancelAgentRun,
  getAgentRun,
  listAgentRunEvents,
  listAgentRuns,
  startAgentRun,
} from './routes/agent-runs.ts'
import {
  getAgentSession,
  getOrgAgentSession,
  listAgentSessionEvents,
  listAgentSessions,
  listOrgAgentSessions,
  mintAgentSession,
  revokeAgentSession,
} from './routes/agent-sessions.ts'
import {
  archiveAgent,
  changeAgent,
  createAgent,
  getAgent,
  getRules,
  listAgents,
  putRules,
} from './routes/agents.ts'
import { listApiKeys, mintApiKey, revokeApiKey, rotateApiKey } from './routes/api-keys.ts'
import { getAttestation, getKeyAttestation } from './routes/attestation.ts'
import {
  exportAuditLog,
  getAuditCheckpoint,
  getAuditConsistency,
  getAuditProof,
  listAuditEvents,
} from './routes/audit.ts'
import { identify, logout, startEmailOtp, verifyEmailOtp } from './routes/auth.ts'
import { listChains, listOrganizationChains } from './routes/chains.ts'
import { sendOperatorFrame } from './routes/enclave.ts'
import { listEndUsers } from './routes/end-users.ts'
import { broadcastTx, prepareTx } from './routes/evm.ts'
import { getFrame } from './routes/frame.ts'
import { health, openapiDocument, ready } from './routes/health.ts'
import { jwks } from './routes/jwks.ts'
import {
  completeKeyExport,
  completeKeyImport,
  getKeyExport,
  initiateKeyExport,
  initiateKeyImport,
} from './routes/key-transfer.ts'
import { addMember, changeMember, listMembers, removeMember } from './routes/members.ts'
import {
  archiveOrganizationWallet,
  getOrganizationWallet,
  listOrganizationWallets,
  unarchiveOrganizationWallet,
} from './routes/org-wallets.ts'
import {
  createOrganization,
  getOrganization,
  listOrganizations,
  updateOrganization,
  updateOrganizationAuth,
  updateRecoveryMode,
  updateSigningMode,
} from './routes/orgs.ts'
import {
  beginPortalLogin,
  endPortalSession,
  finishPortalLogin,
  getPortalSession,
} from './routes/portal-auth.ts'
import { listMyReceipts, listReceipts } from './routes/receipts.ts'
import { completeRecovery, getRecovery, initiateRecovery, verifyRecovery } from './routes/recovery.ts'
import {
  archiveWallet,
  createWalletFor,
  createWallets,
  getWallet,
  listWallets,
  unarchiveWallet,
} from './routes/s2s-wallets.ts'
import { getProviderShare, refreshShares } from './routes/shares.ts'
import { sign, signMine } from './routes/signing.ts'
import {
  createMySmartAccount,
  createSmartAccountFor,
  listMySmartAccounts,
  listSmartAccounts,
} from './routes/smart-accounts.ts'
import { getUsage } from './routes/usage.ts'
import { buildUserOp, getUserOp, submitUserOp } from './routes/userops.ts'
import { createWallet, getMyWallet, listMyWallets } from './routes/wallets.ts'
import {
  deleteWebhook,
  getWebhook,
  listWebhookDeliveries,
  putWebhook,
  rotateWebhookSecret,
  testWebhook,
} from './routes/webhook.ts'

/** Every route by name, in the order of the reference; the name is the `operationId` and the SDK's method. */
export const routes = {
  health,
  ready,
  openapiDocument,
  getFrame,
  jwks,
  startEmailOtp,
  verifyEmailOtp,
  identify,
  logout,
  getMyWallet,
  listMyWallets,
  createWallet,
  getProviderShare,
  refreshShares,
  initiateRecovery,
  verifyRecovery,
  completeRecovery,
  getRecovery,
  initiateKeyExport,
  completeKeyExport,
  getKeyExport,
  initiateKeyImport,
  completeKeyImport,
  signMine,
  sign,
  listReceipts,
  listMyReceipts,
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
  mintAgentSession,
  listAgentSessions,
  getAgentSession,
  getMyAgentSession,
  signAsAgent,
  sendAsAgent,
  getAgentCard,
  getLegacyAgentCard,
  callAgent,
  callAgentTools,
  getAttestation,
  getKeyAttestation,
  sendOperatorFrame,
  listChains,
  beginPortalLogin,
  finishPortalLogin,
  getPortalSession,
  endPortalSession,
  listOrganizations,
  createOrganization,
  getOrganization,
  updateOrganization,
  updateOrganizationAuth,
  updateRecoveryMode,
  updateSigningMode,
  listOrganizationChains,
  listMembers,
  addMember,
  changeMember,
  removeMember,
  listApiKeys,
  mintApiKey,
  revokeApiKey,
  rotateApiKey,
  getWebhook,
  putWebhook,
  deleteWebhook,
  testWebhook,
  rotateWebhookSecret,
  listWebhookDeliveries,
  listOrganizationWallets,
  getOrganizationWallet,
  archiveOrganizationWallet,
  unarchiveOrganizationWallet,
  listEndUsers,
  getUsage,
  listAgents,
  createAgent,
  getAgent,
  changeAgent,
  archiveAgent,
  getRules,
  putRules,
  listOrgAgentSessions,
  getOrgAgentSession,
  revokeAgentSession,
  listAgentSessionEvents,
  listAgentRuns,
  startAgentRun,
  getAgentRun,
  cancelAgentRun,
  listAgentRunEvents,
  listAgentHooks,
  createAgentHook,
  removeAgentHook,
  rotateAgentHookSecret,
  deliverToAgentHook,
  listAuditEvents,
  getAuditCheckpoint,
  getAuditProof,
  getAuditConsistency,
  exportAuditLog,
} as const
