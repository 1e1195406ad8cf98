// Written by scripts/sdk-types.ts from the routes of @symbolon/api: run `npm run openapi`.
import type {
  Curve,
  ReceiptPage,
  SignResponse,
  SmartAccount,
  SmartAccounts,
  WalletStatus,
} from './answers.ts'
import type {
  AgentSession,
  AgentSessionPage,
  AgentSessionStatus,
  BatchResults,
  MintedAgentSession,
  WalletPage,
  WalletWithIdentity,
} from './backend-answers.ts'
import type { CreateWalletFor, CreateWallets, MintAgentSession, SignRequestFor } from './backend-requests.ts'
import type { CreateSmartAccount } from './requests.ts'

type SecretOrAgentPost =
  | 'chain_unsupported'
  | 'idempotency_key_in_flight'
  | 'idempotency_key_reused'
  | 'idempotency_key_spent'
  | 'insufficient_scope'
  | 'internal'
  | 'invalid_curve'
  | 'invalid_payload'
  | 'invalid_request'
  | 'ip_not_allowed'
  | 'payload_too_large'
  | 'policy_violation'
  | 'rate_limited'
  | 'signing_mode_mismatch'
  | 'state_rolled_back'
  | 'token_expired'
  | 'token_revoked'
  | 'unauthorized'
  | 'unavailable'
  | 'unsupported_media_type'
  | 'wallet_archived'
  | 'wallet_not_found'

type SecretGet = 'internal' | 'ip_not_allowed' | 'rate_limited' | 'unauthorized' | 'unavailable'

type SecretPost =
  | 'idempotency_key_in_flight'
  | 'idempotency_key_reused'
  | 'idempotency_key_spent'
  | 'insufficient_scope'
  | 'internal'
  | 'invalid_request'
  | 'ip_not_allowed'
  | 'payload_too_large'
  | 'rate_limited'
  | 'unauthorized'
  | 'unavailable'
  | 'unsupported_media_type'

type PortalOrSecretPost =
  | 'forbidden'
  | 'idempotency_key_in_flight'
  | 'idempotency_key_reused'
  | 'idempotency_key_spent'
  | 'insufficient_scope'
  | 'internal'
  | 'invalid_request'
  | 'ip_not_allowed'
  | 'not_found'
  | 'origin_not_allowed'
  | 'payload_too_large'
  | 'rate_limited'
  | 'unauthorized'
  | 'unavailable'
  | 'unsupported_media_type'

/** Every route for backends, by method and path. Without data (204) `data` is null. */
export type BackendRoutes = {
  /** Sign with a wallet of the organization. */
  'POST /v1/s2s/sign': {
    body: SignRequestFor
    data: SignResponse
    code: SecretOrAgentPost
  }
  /** List receipts, oldest first. */
  'GET /v1/s2s/receipts': {
    query: {
      /** Lists what comes after this cursor. Defaults to 0. */
      after?: number
      /** The receipt key: see `GET /v1/attestation/keys/{kid}`. */
      kid?: string
      wallet_id?: string
      limit?: number
    }
    data: ReceiptPage
    code: SecretGet | 'invalid_request'
  }
  /** List wallets, newest first. */
  'GET /v1/s2s/wallets': {
    query: {
      limit?: number
      offset?: number
      status?: WalletStatus
      curve?: Curve
      user_identity_id?: string
      email?: string
      /** Any address of a wallet. */
      address?: string
    }
    data: WalletPage
    code: SecretGet | 'invalid_request'
  }
  /** Read a wallet. */
  'GET /v1/s2s/wallets/{walletID}': {
    params: {
      walletID: string
    }
    data: WalletWithIdentity
    code: SecretGet | 'wallet_not_found' | 'not_found'
  }
  /** Create a wallet for a user, even before the first login. */
  'POST /v1/s2s/wallets': {
    body: CreateWalletFor
    data: WalletWithIdentity
    code: SecretPost | 'wallet_exists' | 'email_ambiguous' | 'invalid_curve' | 'signing_mode_mismatch'
  }
  /** Create up to 100 wallets. */
  'POST /v1/s2s/wallets/batch': {
    body: CreateWallets
    data: BatchResults
    code: SecretPost | 'signing_mode_mismatch'
  }
  /** Archive a wallet. */
  'POST /v1/s2s/wallets/{walletID}/archive': {
    params: {
      walletID: string
    }
    data: null
    code: SecretPost | 'wallet_not_found' | 'not_found'
  }
  /** Unarchive a wallet. */
  'POST /v1/s2s/wallets/{walletID}/unarchive': {
    params: {
      walletID: string
    }
    data: null
    code: SecretPost | 'wallet_not_found' | 'not_found'
  }
  /** Read the smart accounts of a wallet, on all chains. */
  'GET /v1/s2s/wallets/{walletID}/smart-accounts': {
    params: {
      walletID: string
    }
    data: SmartAccounts
    code: SecretGet | 'wallet_not_found' | 'not_found'
  }
  /** Provision a smart account for a wallet. */
  'POST /v1/s2s/wallets/{walletID}/smart-accounts': {
    params: {
      walletID: string
    }
    body: CreateSmartAccount
    data: SmartAccount
    code:
      | SecretPost
      | 'chain_unsupported'
      | 'invalid_curve'
      | 'wallet_not_found'
      | 'wallet_archived'
      | 'rpc_failed'
      | 'not_found'
  }
  /** Mint an agent session. */
  'POST /v1/s2s/agent-sessions': {
    body: MintAgentSession
    data: MintedAgentSession
    code:
      | SecretPost
      | 'wallet_not_found'
      | 'wallet_not_tee_mode'
      | 'wallet_archived'
      | 'not_found'
      | 'agent_archived'
      | 'chain_unsupported'
  }
  /** List agent sessions, newest first. */
  'GET /v1/s2s/agent-sessions': {
    query: {
      limit?: number
      offset?: number
      agent_id?: string
      wallet_id?: string
      status?: AgentSessionStatus
    }
    data: AgentSessionPage
    code: SecretGet | 'invalid_request'
  }
  /** Read an agent session. */
  'GET /v1/s2s/agent-sessions/{id}': {
    params: {
      id: string
    }
    data: AgentSession
    code: SecretGet | 'not_found'
  }
  /** Revoke an agent session. */
  'POST /v1/orgs/{orgID}/agent-sessions/{sessionID}/revoke': {
    params: {
      orgID: string
      sessionID: string
    }
    data: AgentSession
    code: PortalOrSecretPost
  }
}
