import type { NetworkName, PortalRole } from '@symbolon/api'

/** An organization as every call of it needs it. */
export type Organization = {
  id: string
  signingMode: 'client' | 'tee'
  supportedNetworks: readonly NetworkName[]
  authMode: 'service' | 'oidc'
  oidcIssuer: string | null
  oidcAudience: string | null
  /** Addresses in tokens that do not say whether they are verified count too. */
  oidcTrustEmail: boolean
  /** Tokens issued before (ms since the epoch) belong to an earlier auth configuration; 0 when it never changed. */
  authChangedAtMs: number
  allowedOrigins: readonly string[]
  /** The operator's figure for signatures per user and minute; null: the documented rate. */
  userSignsPerMinute: number | null
  /** Every signature has a receipt, whatever its request says. */
  receipts: boolean
}

/** A living API key. */
export type ApiKey = {
  id: string
  type: 'publishable' | 'secret'
  scope: 'full' | 'read' | null
  ipAllowlist: readonly string[]
}

/** The end user behind a verified token. */
export type Identity = {
  id: string
  authProvider: 'service' | 'oidc'
  providerUserId: string
  email: string | null
}

/** A verified end-user token: what revokes it (hex of 32 bytes) and when it ends (ISO 8601). */
export type UserToken = { hash: string; expiresAt: string }

/** An end user with a verified token, in the organization of their wallets. */
export type UserPrincipal = { organization: Organization; identity: Identity; token: UserToken }

/** A portal user with a living session; organization and role where the route names one that they belong to. */
export type PortalPrincipal = {
  user: { id: string; email: string; name: string }
  session: { id: string; expiresAt: Date }
  organization?: Organization
  role?: PortalRole
}

/** A portal user in an organization that they belong to. */
export type MemberPrincipal = Required<PortalPrincipal>

/**
 * The session behind an agent token. Routes that sign get ended ones too (`state`), to record their requests; all others get active
 * ones only. `tokenKey` opens its grant; `nowMs` is the database's clock when the token was authenticated.
 */
export type AgentSessionPrincipal = {
  id: string
  agentId: string | null
  walletId: string
  state: 'active' | 'revoked' | 'expired'
  tokenKey: Uint8Array
  nowMs: number
}

/** Another agent of the platform, with its delegation (`ac_live_`). */
export type DelegatePrincipal = {
  agentId: string
  parentRunId: string
  parentAgentId: string
  depth: number
  jti: string
}

/** Who calls, by lane. */
export type Principal = {
  public: Record<never, never>
  publishable: { organization: Organization; key: ApiKey }
  wallet: UserPrincipal & { key: ApiKey }
  secret: { organization: Organization; key: ApiKey }
  publishable_or_secret: { organization: Organization; key: ApiKey }
  portal: PortalPrincipal
  /** A portal user in the organization of the path, or a secret key of it. */
  portal_or_secret:
    | (MemberPrincipal & { key?: never })
    | { organization: Organization; key: ApiKey; user?: never }
  agent: { organization: Organization; session: AgentSessionPrincipal }
  secret_or_agent:
    | { organization: Organization; key: ApiKey; session?: never }
    | { organization: Organization; session: AgentSessionPrincipal; key?: never }
  agent_or_delegate:
    | { organization: Organization; session: AgentSessionPrincipal; delegate?: never }
    | { organization: Organization; delegate: DelegatePrincipal; session?: never }
}
