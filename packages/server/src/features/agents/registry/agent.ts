import type { Agent } from '@symbolon/api'
import type { AgentRow } from './agents.store.ts'

/** An agent as the wire has it; `baseUrl` is the platform's own. */
export const agentToWire = (row: AgentRow, baseUrl: string): Agent => ({
  id: row.id,
  organization_id: row.organizationId,
  wallet_id: row.walletId,
  status: row.status,
  name: row.name,
  description: row.description,
  runner: row.runner,
  objective_template: row.objectiveTemplate,
  policy: row.policy,
  skills: row.skills,
  session_id: row.sessionId,
  endpoint_url: `${baseUrl}/v1/agents/${row.id}/a2a`,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
  archived_at: row.archivedAt?.toISOString() ?? null,
})
