import type { AgentPolicy, AgentSession, EffectivePolicy } from '@symbolon/api'
import type { SessionCounter } from '../../spending/index.ts'
import { sessionBudget } from './session-budget.ts'
import type { Surroundings } from './session-layers.store.ts'

/** A session as the database has it. */
export type AgentSessionRow = {
  id: string
  organizationId: string
  agentId: string | null
  walletId: string
  name: string
  tokenHint: string | null
  policy: AgentPolicy
  /** The intersection of all layers when it was sealed. */
  effective: EffectivePolicy
  clipped: string[]
  status: AgentSession['status']
  /** Now, all layers considered. */
  endsAt: Date | null
  createdAt: Date
  lastUsedAt: Date | null
  revokedAt: Date | null
  /** The layers around it when it was sealed and now; null where these are the same, so that `effective` is still what is in effect. */
  changes: LayerChanges | null
}

/** The layers around a session, as it was sealed and as they are now. */
export type LayerChanges = Readonly<Record<'sealed' | 'now', SurroundingLayers>>
type SurroundingLayers = { organization: Surroundings['rules']; agent: AgentPolicy | null }

/** A session as the wire has it: `effective` is the intersection of all layers now. */
export function agentSessionToWire(
  row: AgentSessionRow,
  effective: EffectivePolicy,
  counters: readonly SessionCounter[],
): AgentSession {
  const endsAt = row.endsAt?.toISOString() ?? null
  return {
    id: row.id,
    organization_id: row.organizationId,
    agent_id: row.agentId,
    wallet_id: row.walletId,
    name: row.name,
    status: row.status,
    token_hint: row.tokenHint,
    max_spend_per_tx_native: effective.max_spend_per_tx_native,
    max_spend_total_native: effective.max_spend_total_native,
    ...sessionBudget(effective, counters),
    allowed_chains: effective.allowed_chains,
    allowed_methods: effective.allowed_methods,
    allowed_recipients: effective.allowed_recipients,
    allowed_tokens: effective.allowed_tokens,
    effective_policy: { ...effective, expires_at: endsAt },
    clipped: row.clipped,
    expires_at: endsAt,
    created_at: row.createdAt.toISOString(),
    last_used_at: row.lastUsedAt?.toISOString() ?? null,
    revoked_at: row.revokedAt?.toISOString() ?? null,
  }
}
