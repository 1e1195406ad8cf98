// Written by scripts/sdk-types.ts from the routes of @symbolon/api: run `npm run openapi`.
import type { AuthProvider, NetworkName, SigningMode } from './answers.ts'

/** `ApiKey` of the API. */
export type ApiKey = {
  id: string
  name: string
  type: 'publishable' | 'secret'
  /** Secret keys only. */
  scope: 'full' | 'read' | null
  /** Prefix and last four characters, to recognise the key by. */
  hint: string
  ip_allowlist: Array<string>
  expires_at: string | null
  revoked_at: string | null
  created_at: string
}

/** `ApiKeys` of the API. */
export type ApiKeys = {
  items: Array<ApiKey>
}

/** `AuditCheckpoint` of the API. */
export type AuditCheckpoint = {
  tree_size: number
  root_hash: string
  timestamp: string
  /** Ed25519 over the text of `note`, by a key of the JWKS. */
  signature: string
  note: string
}

/** `AuditConsistency` of the API. */
export type AuditConsistency = {
  from_size: number
  tree_size: number
  from_root_hash: string
  root_hash: string
  hashes: Array<string>
}

/** `AuditEvent` of the API. */
export type AuditEvent = {
  id: string
  timestamp: string
  organization_id: string
  user_identity_id: string | ''
  wallet_id: string | ''
  actor_type: 'end_user' | 'api_key' | 'agent' | 'portal_user' | 'system'
  actor_id: string
  event_type:
    | 'wallet.created'
    | 'wallet.tx_prepared'
    | 'wallet.tx_broadcast'
    | 'recovery.initiated'
    | 'recovery.verified'
    | 'recovery.completed'
    | 'api_key.created'
    | 'api_key.revoked'
    | 'org.auth_updated'
    | 'org.settings_updated'
    | 'org.recovery_mode_updated'
    | 'webhook.updated'
    | 'webhook.removed'
    | 'wallet.archived'
    | 'wallet.unarchived'
    | 'wallet.signed'
    | 'wallet.sign_refused'
    | 'wallet.exported'
    | 'wallet.imported'
    | 'provider_share.released'
    | 'user.logged_in'
    | 'user.logged_out'
    | 'agent_session.created'
    | 'agent_session.revoked'
    | 'agent.created'
    | 'agent.archived'
    | 'smart_account.created'
    | 'userop.submitted'
    | 'member.added'
    | 'member.removed'
    | 'audit.gap'
    | 'wallet.shares_refreshed'
    | 'org.created'
    | 'org.signing_mode_updated'
    | 'member.updated'
  payload: { [name: string]: unknown }
  success: boolean
  /** Empty when successful. */
  error_code: string
}

/** `AuditPage` of the API. */
export type AuditPage = {
  items: Array<AuditEvent>
  total: number
  limit: number
  offset: number
}

/** `AuditProof` of the API. */
export type AuditProof = {
  leaf_index: number
  tree_size: number
  root_hash: string
  hashes: Array<string>
}

/** `AuthConfig` of the API. */
export type AuthConfig =
  | {
      mode: 'service'
    }
  | {
      mode: 'oidc'
      issuer: string
      audience: string
    }

/** `EndUser` of the API. */
export type EndUser = {
  user_identity_id: string
  auth_provider: AuthProvider
  provider_user_id: string
  email: string | null
  /** How many wallets the user has, archived ones included. */
  wallets: number
  created_at: string
}

/** `EndUserPage` of the API. */
export type EndUserPage = {
  items: Array<EndUser>
  total: number
  limit: number
  offset: number
}

/** `Member` of the API. */
export type Member = {
  id: string
  user_id: string
  email: string
  name: string
  role: MemberRole
  is_invited: boolean
  created_at: string
}

/** `MemberRole` of the API. */
export type MemberRole = 'viewer' | 'developer' | 'admin' | 'owner'

/** `Members` of the API. */
export type Members = {
  items: Array<Member>
}

/** `MintedApiKey` of the API. */
export type MintedApiKey = {
  id: string
  name: string
  type: 'publishable' | 'secret'
  /** Secret keys only. */
  scope: 'full' | 'read' | null
  /** Prefix and last four characters, to recognise the key by. */
  hint: string
  ip_allowlist: Array<string>
  expires_at: string | null
  revoked_at: string | null
  created_at: string
  key: string
}

/** `Organization` of the API. */
export type Organization = {
  id: string
  name: string
  slug: string
  country: string
  logo_url: string | null
  brand_color: string | null
  support_email: string | null
  allowed_origins: Array<string>
  auth_config: AuthConfig
  recovery_mode: RecoveryMode
  signing_mode: SigningMode
  supported_networks: Array<NetworkName>
  /** Client mode: whether users confirm each signature in the wallet frame. */
  sign_confirmation: boolean
  role: MemberRole
  created_at: string
  updated_at: string
}

/** `Organizations` of the API. */
export type Organizations = {
  items: Array<Organization>
}

/** `PortalSession` of the API. */
export type PortalSession = {
  user: {
    id: string
    email: string
    name: string
  }
  expires_at: string
}

/** `RecoveryMode` of the API. */
export type RecoveryMode = 'customer_managed' | 'service_managed'

/** `Usage` of the API. */
export type Usage = {
  items: Array<{
    day: string
    wallets_created: number
    /** TEE mode: signatures by network; those that have none are absent. */
    signatures: { [name: string]: number }
    /** Client mode: provider shares handed to browsers, which is what a signature there takes. */
    share_releases: number
    /** Gas of operations that landed, on the day they were seen to. */
    sponsored_eur: string
    /** Signatures that were refused (`wallet.sign_refused`). */
    refusals: number
    /** All other events with `success: false`. */
    errors: number
  }>
  totals: {
    wallets_created: number
    /** TEE mode: signatures by network; those that have none are absent. */
    signatures: { [name: string]: number }
    /** Client mode: provider shares handed to browsers, which is what a signature there takes. */
    share_releases: number
    /** Gas of operations that landed, on the day they were seen to. */
    sponsored_eur: string
    /** Signatures that were refused (`wallet.sign_refused`). */
    refusals: number
    /** All other events with `success: false`. */
    errors: number
  }
  from: string
  to: string
}

/** `Webhook` of the API. */
export type Webhook = {
  url: string
  encryption_key: { [name: string]: unknown } | null
  created_at: string
  updated_at: string
}

/** `WebhookDeliveries` of the API. */
export type WebhookDeliveries = {
  items: Array<WebhookDelivery>
}

/** `WebhookDelivery` of the API. */
export type WebhookDelivery = {
  id: string
  /** The `webhook-id` that the receiver saw. */
  message_id: string
  type: string
  at: string
  delivered: boolean
  status: number | null
  error: string | null
  duration_ms: number
}

/** `WebhookTest` of the API. */
export type WebhookTest = {
  delivered: boolean
  status: number | null
  error: string | null
}

/** `WebhookWithSecret` of the API. */
export type WebhookWithSecret = {
  url: string
  encryption_key: { [name: string]: unknown } | null
  created_at: string
  updated_at: string
  signing_secret: string | null
}
