// Written by scripts/sdk-types.ts from the routes of @symbolon/api: run `npm run openapi`.
import type { Chains, Curve, NetworkName, SigningMode, WalletStatus } from './answers.ts'
import type {
  AgentSession,
  AgentSessionPage,
  AgentSessionStatus,
  WalletPage,
  WalletWithIdentity,
} from './backend-answers.ts'
import type {
  Agent,
  AgentEventPage,
  AgentHooks,
  AgentHookWithSecret,
  AgentPage,
  AgentRun,
  AgentRunDetail,
  AgentRunPage,
  AgentRunState,
  ApiKeys,
  AuditCheckpoint,
  AuditConsistency,
  AuditPage,
  AuditProof,
  AuthConfig,
  EndUserPage,
  Member,
  MemberRole,
  Members,
  MintedApiKey,
  Organization,
  Organizations,
  PortalSession,
  RecoveryMode,
  StoredRules,
  Usage,
  Webhook,
  WebhookDeliveries,
  WebhookTest,
  WebhookWithSecret,
} from './portal-answers.ts'
import type {
  ChangeAgent,
  CreateAgent,
  CreateAgentHook,
  PutRules,
  StartAgentRun,
  UpdateOrganization,
} from './portal-requests.ts'

type PortalGet = 'internal' | 'unauthorized' | 'unavailable'

type PortalPost =
  | 'idempotency_key_in_flight'
  | 'idempotency_key_reused'
  | 'idempotency_key_spent'
  | 'internal'
  | 'invalid_request'
  | 'origin_not_allowed'
  | 'payload_too_large'
  | 'unauthorized'
  | 'unavailable'
  | 'unsupported_media_type'

type PortalPatch =
  | 'forbidden'
  | 'internal'
  | 'invalid_request'
  | 'not_found'
  | 'origin_not_allowed'
  | 'payload_too_large'
  | 'unauthorized'
  | 'unavailable'
  | 'unsupported_media_type'

type PortalDelete =
  | 'forbidden'
  | 'internal'
  | 'not_found'
  | 'origin_not_allowed'
  | 'unauthorized'
  | 'unavailable'

type PortalPut =
  | 'forbidden'
  | 'internal'
  | 'invalid_request'
  | 'not_found'
  | 'origin_not_allowed'
  | 'payload_too_large'
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

/** Every route for the portal, by method and path. Without data (204) `data` is null. */
export type PortalRoutes = {
  /** Read the logged-in portal user. */
  'GET /v1/auth/session': {
    data: PortalSession
    code: PortalGet
  }
  /** Log out of the portal. */
  'POST /v1/auth/logout': {
    data: null
    code: PortalPost
  }
  /** List the companies you belong to. */
  'GET /v1/orgs': {
    data: Organizations
    code: PortalGet | 'rate_limited'
  }
  /** Create a company. */
  'POST /v1/orgs': {
    body: {
      name: string
      slug: string
      country: string
      signing_mode?: SigningMode
      supported_networks?: Array<NetworkName>
    }
    data: Organization
    code: PortalPost | 'slug_taken' | 'rate_limited'
  }
  /** Read a company. */
  'GET /v1/orgs/{orgID}': {
    params: {
      orgID: string
    }
    data: Organization
    code: PortalGet | 'not_found'
  }
  /** Change branding, allowed origins and settings. */
  'PATCH /v1/orgs/{orgID}': {
    params: {
      orgID: string
    }
    body: UpdateOrganization
    data: Organization
    code: PortalPatch
  }
  /** Change how end users log in. */
  'PATCH /v1/orgs/{orgID}/auth': {
    params: {
      orgID: string
    }
    body: {
      auth_config: AuthConfig
    }
    data: Organization
    code: PortalPatch
  }
  /** Change who keeps recovery shares. */
  'PATCH /v1/orgs/{orgID}/recovery-mode': {
    params: {
      orgID: string
    }
    body: {
      mode: RecoveryMode
    }
    data: Organization
    code: PortalPatch
  }
  /** Change the signing mode. */
  'PATCH /v1/orgs/{orgID}/signing-mode': {
    params: {
      orgID: string
    }
    body: {
      signing_mode: SigningMode
    }
    data: Organization
    code: PortalPatch | 'organization_has_wallets'
  }
  /** List the chains, and which of them this installation can reach. */
  'GET /v1/orgs/{orgID}/chains': {
    params: {
      orgID: string
    }
    data: Chains
    code: PortalGet | 'not_found'
  }
  /** List members. */
  'GET /v1/orgs/{orgID}/members': {
    params: {
      orgID: string
    }
    data: Members
    code: PortalGet | 'not_found'
  }
  /** Add a member. */
  'POST /v1/orgs/{orgID}/members': {
    params: {
      orgID: string
    }
    body: {
      email: string
      role: MemberRole
    }
    data: Member
    code: PortalPost | 'not_found' | 'rate_limited' | 'forbidden'
  }
  /** Change a member's role. */
  'PATCH /v1/orgs/{orgID}/members/{memberID}': {
    params: {
      orgID: string
      memberID: string
    }
    body: {
      role: MemberRole
    }
    data: Member
    code: PortalPatch | 'last_owner'
  }
  /** Remove a member, or leave. */
  'DELETE /v1/orgs/{orgID}/members/{memberID}': {
    params: {
      orgID: string
      memberID: string
    }
    data: null
    code: PortalDelete | 'last_owner'
  }
  /** List API keys. */
  'GET /v1/orgs/{orgID}/api-keys': {
    params: {
      orgID: string
    }
    data: ApiKeys
    code: PortalGet | 'not_found' | 'rate_limited'
  }
  /** Mint an API key. */
  'POST /v1/orgs/{orgID}/api-keys': {
    params: {
      orgID: string
    }
    body: {
      name: string
      type: 'publishable' | 'secret'
      scope?: 'full' | 'read'
      ip_allowlist?: Array<string>
      /** RFC 3339, with a time zone. */
      expires_at?: string
    }
    data: MintedApiKey
    code: PortalPost | 'not_found' | 'rate_limited' | 'forbidden'
  }
  /** Revoke an API key. */
  'DELETE /v1/orgs/{orgID}/api-keys/{keyID}': {
    params: {
      orgID: string
      keyID: string
    }
    data: null
    code: PortalDelete
  }
  /** Replace an API key. */
  'POST /v1/orgs/{orgID}/api-keys/{keyID}/rotate': {
    params: {
      orgID: string
      keyID: string
    }
    body: {
      grace_seconds?: number
    }
    data: MintedApiKey
    code: PortalPost | 'not_found' | 'rate_limited' | 'forbidden'
  }
  /** Read the recovery webhook. */
  'GET /v1/orgs/{orgID}/webhook': {
    params: {
      orgID: string
    }
    data: Webhook
    code: PortalGet | 'not_found'
  }
  /** Set the recovery webhook. */
  'PUT /v1/orgs/{orgID}/webhook': {
    params: {
      orgID: string
    }
    body: {
      url: string
      /** A public P-256 JWK (RFC 7517): recovery shares are sealed to it (HPKE). */
      encryption_key?: { [name: string]: unknown }
    }
    data: WebhookWithSecret
    code: PortalPut
  }
  /** Remove the recovery webhook. */
  'DELETE /v1/orgs/{orgID}/webhook': {
    params: {
      orgID: string
    }
    data: null
    code: PortalDelete
  }
  /** Send a `ping` to the recovery webhook. */
  'POST /v1/orgs/{orgID}/webhook/test': {
    params: {
      orgID: string
    }
    data: WebhookTest
    code: PortalPost | 'not_found' | 'rate_limited' | 'forbidden'
  }
  /** Replace the signing secret. */
  'POST /v1/orgs/{orgID}/webhook/rotate-secret': {
    params: {
      orgID: string
    }
    data: {
      signing_secret: string
    }
    code: PortalPost | 'not_found' | 'forbidden'
  }
  /** List the latest calls of the recovery webhook. */
  'GET /v1/orgs/{orgID}/webhook/deliveries': {
    params: {
      orgID: string
    }
    data: WebhookDeliveries
    code: PortalGet | 'not_found'
  }
  /** List wallets, newest first. */
  'GET /v1/orgs/{orgID}/wallets': {
    params: {
      orgID: string
    }
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
    code: PortalGet | 'not_found' | 'invalid_request'
  }
  /** Read a wallet. */
  'GET /v1/orgs/{orgID}/wallets/{walletID}': {
    params: {
      orgID: string
      walletID: string
    }
    data: WalletWithIdentity
    code: PortalGet | 'wallet_not_found' | 'not_found'
  }
  /** Archive a wallet. */
  'POST /v1/orgs/{orgID}/wallets/{walletID}/archive': {
    params: {
      orgID: string
      walletID: string
    }
    data: null
    code: PortalPost | 'wallet_not_found' | 'not_found' | 'forbidden'
  }
  /** Unarchive a wallet. */
  'POST /v1/orgs/{orgID}/wallets/{walletID}/unarchive': {
    params: {
      orgID: string
      walletID: string
    }
    data: null
    code: PortalPost | 'wallet_not_found' | 'not_found' | 'forbidden'
  }
  /** List end users, newest first. */
  'GET /v1/orgs/{orgID}/users': {
    params: {
      orgID: string
    }
    query: {
      limit?: number
      offset?: number
      email?: string
    }
    data: EndUserPage
    code: PortalGet | 'not_found' | 'invalid_request'
  }
  /** Read the usage per day. */
  'GET /v1/orgs/{orgID}/usage': {
    params: {
      orgID: string
    }
    query: {
      from?: string
      to?: string
    }
    data: Usage
    code: PortalGet | 'not_found' | 'invalid_request'
  }
  /** List agents, newest first. */
  'GET /v1/orgs/{orgID}/agents': {
    params: {
      orgID: string
    }
    query: {
      limit?: number
      offset?: number
      status?: 'active' | 'archived'
    }
    data: AgentPage
    code: PortalGet | 'not_found' | 'invalid_request' | 'rate_limited'
  }
  /** Create an agent. */
  'POST /v1/orgs/{orgID}/agents': {
    params: {
      orgID: string
    }
    body: CreateAgent
    data: Agent
    code:
      | PortalPost
      | 'wallet_not_found'
      | 'wallet_not_tee_mode'
      | 'wallet_archived'
      | 'chain_unsupported'
      | 'not_found'
      | 'rate_limited'
      | 'forbidden'
  }
  /** Read an agent. */
  'GET /v1/orgs/{orgID}/agents/{agentID}': {
    params: {
      orgID: string
      agentID: string
    }
    data: Agent
    code: PortalGet | 'not_found'
  }
  /** Change an agent. */
  'PATCH /v1/orgs/{orgID}/agents/{agentID}': {
    params: {
      orgID: string
      agentID: string
    }
    body: ChangeAgent
    data: Agent
    code: PortalPatch | 'agent_archived' | 'chain_unsupported'
  }
  /** Archive an agent. */
  'POST /v1/orgs/{orgID}/agents/{agentID}/archive': {
    params: {
      orgID: string
      agentID: string
    }
    data: null
    code: PortalPost | 'not_found' | 'forbidden'
  }
  /** Read the organization's rules for agents. */
  'GET /v1/orgs/{orgID}/rules': {
    params: {
      orgID: string
    }
    data: StoredRules
    code: PortalGet | 'not_found' | 'forbidden'
  }
  /** Replace the organization's rules for agents. */
  'PUT /v1/orgs/{orgID}/rules': {
    params: {
      orgID: string
    }
    body: PutRules
    data: StoredRules
    code: PortalPut | 'chain_unsupported' | 'rate_limited'
  }
  /** List agent sessions, newest first. */
  'GET /v1/orgs/{orgID}/agent-sessions': {
    params: {
      orgID: string
    }
    query: {
      limit?: number
      offset?: number
      agent_id?: string
      wallet_id?: string
      status?: AgentSessionStatus
    }
    data: AgentSessionPage
    code: PortalGet | 'not_found' | 'invalid_request' | 'rate_limited'
  }
  /** Read an agent session. */
  'GET /v1/orgs/{orgID}/agent-sessions/{sessionID}': {
    params: {
      orgID: string
      sessionID: string
    }
    data: AgentSession
    code: PortalGet | 'not_found'
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
  /** List the signing requests of a session, newest first. */
  'GET /v1/orgs/{orgID}/agent-sessions/{sessionID}/events': {
    params: {
      orgID: string
      sessionID: string
    }
    query: {
      limit?: number
      offset?: number
      outcome?: 'allowed' | 'rejected' | 'error'
    }
    data: AgentEventPage
    code: PortalGet | 'not_found' | 'invalid_request'
  }
  /** List runs, newest first. */
  'GET /v1/orgs/{orgID}/agents/{agentID}/runs': {
    params: {
      orgID: string
      agentID: string
    }
    query: {
      limit?: number
      offset?: number
      state?: AgentRunState
    }
    data: AgentRunPage
    code: PortalGet | 'not_found' | 'invalid_request'
  }
  /** Start a run. */
  'POST /v1/orgs/{orgID}/agents/{agentID}/runs': {
    params: {
      orgID: string
      agentID: string
    }
    body: StartAgentRun
    data: AgentRun
    code: PortalPost | 'agent_archived' | 'not_found' | 'rate_limited' | 'forbidden'
  }
  /** Read a run. */
  'GET /v1/orgs/{orgID}/agents/{agentID}/runs/{runID}': {
    params: {
      orgID: string
      agentID: string
      runID: string
    }
    data: AgentRunDetail
    code: PortalGet | 'not_found'
  }
  /** Cancel a run and its children. */
  'POST /v1/orgs/{orgID}/agents/{agentID}/runs/{runID}/cancel': {
    params: {
      orgID: string
      agentID: string
      runID: string
    }
    data: AgentRun
    code: PortalPost | 'not_found' | 'forbidden'
  }
  /** List the signing requests of a run, newest first. */
  'GET /v1/orgs/{orgID}/agents/{agentID}/runs/{runID}/events': {
    params: {
      orgID: string
      agentID: string
      runID: string
    }
    query: {
      limit?: number
      offset?: number
      outcome?: 'allowed' | 'rejected' | 'error'
    }
    data: AgentEventPage
    code: PortalGet | 'not_found' | 'invalid_request'
  }
  /** List inbound hooks. */
  'GET /v1/orgs/{orgID}/agents/{agentID}/hooks': {
    params: {
      orgID: string
      agentID: string
    }
    data: AgentHooks
    code: PortalGet | 'not_found'
  }
  /** Create an inbound hook. */
  'POST /v1/orgs/{orgID}/agents/{agentID}/hooks': {
    params: {
      orgID: string
      agentID: string
    }
    body: CreateAgentHook
    data: AgentHookWithSecret
    code: PortalPost | 'agent_archived' | 'not_found' | 'rate_limited' | 'forbidden'
  }
  /** Remove an inbound hook. */
  'DELETE /v1/orgs/{orgID}/agents/{agentID}/hooks/{hookID}': {
    params: {
      orgID: string
      agentID: string
      hookID: string
    }
    data: null
    code: PortalDelete
  }
  /** Rotate the secret of an inbound hook. */
  'POST /v1/orgs/{orgID}/agents/{agentID}/hooks/{hookID}/rotate-secret': {
    params: {
      orgID: string
      agentID: string
      hookID: string
    }
    data: AgentHookWithSecret
    code: PortalPost | 'agent_archived' | 'not_found' | 'forbidden'
  }
  /** List audit events, newest first. */
  'GET /v1/orgs/{orgID}/audit': {
    params: {
      orgID: string
    }
    query: {
      limit?: number
      offset?: number
      event_type?: string
      success?: boolean
      actor_id?: string
      wallet_id?: string
      /** Inclusive. */
      from?: string
      /** Exclusive. */
      to?: string
    }
    data: AuditPage
    code: PortalGet | 'not_found' | 'invalid_request'
  }
  /** Read the signed head of the audit log. */
  'GET /v1/orgs/{orgID}/audit/checkpoint': {
    params: {
      orgID: string
    }
    data: AuditCheckpoint
    code: PortalGet | 'not_found'
  }
  /** Prove that an event is in the log. */
  'GET /v1/orgs/{orgID}/audit/{eventID}/proof': {
    params: {
      orgID: string
      eventID: string
    }
    query: {
      tree_size?: number
    }
    data: AuditProof
    code: PortalGet | 'not_found' | 'invalid_request'
  }
  /** Prove that a later log begins with an earlier one. */
  'GET /v1/orgs/{orgID}/audit/consistency': {
    params: {
      orgID: string
    }
    query: {
      from?: number
      to?: number
    }
    data: AuditConsistency
    code: PortalGet | 'not_found' | 'invalid_request'
  }
  /** Export the audit log. */
  'GET /v1/orgs/{orgID}/audit/export': {
    params: {
      orgID: string
    }
    query: {
      tree_size?: number
      checkpoint?: boolean
    }
    data: null
    code: PortalGet | 'not_found' | 'invalid_request' | 'rate_limited'
  }
}
