import {
  type AgentEvent,
  cancelAgentRun,
  getAgentRun,
  listAgentRunEvents,
  listAgentRuns,
  startAgentRun,
} from '@symbolon/api'
import { on } from '../../../http/handler.ts'
import { listedRunToWire, runStepToWire, runToWire } from './agent-run.ts'
import type { AgentRuns } from './agent-runs.ts'

/** A page of what a run tried to sign, newest first. */
export type RunEvents = (
  runId: string,
  page: { limit: number; offset: number; outcome?: AgentEvent['outcome'] },
) => Promise<{ items: AgentEvent[]; total: number }>

/** The runs of an agent in the portal. `hasAgent`: whether the organization has it, archived or not. */
export function agentRunsRoutes(
  runs: AgentRuns,
  events: RunEvents,
  hasAgent: (organizationId: string, agentId: string) => Promise<boolean>,
) {
  return [
    on(listAgentRuns, async ({ principal, params, query, fail }) => {
      const { limit, offset, state } = query
      const scope = { organizationId: principal.organization.id, agentId: params.agentID }
      if (!(await hasAgent(scope.organizationId, scope.agentId))) throw fail('not_found')
      const page = await runs.list({ ...scope, ...(state && { state }) }, { limit, offset })
      return { items: page.items.map(listedRunToWire), total: page.total, limit, offset }
    }),

    on(startAgentRun, async ({ principal, params, body, fail }) => {
      const { objective } = body
      const { run } = await runs.start(
        {
          organizationId: principal.organization.id,
          agentId: params.agentID,
          caller: { kind: 'portal', userId: principal.user.id },
          objective:
            typeof objective === 'string'
              ? objective
              : { tool: objective.tool, arguments: objective.arguments ?? {} },
        },
        fail,
      )
      return runToWire(run)
    }),

    on(getAgentRun, async ({ principal, params, fail }) => {
      const run = await runs.get(scopeOf(principal, params), params.runID)
      if (run === undefined) throw fail('not_found')
      const [journal, children] = await Promise.all([runs.journal(run.id), runs.children(run.id)])
      return { ...runToWire(run), journal: journal.map(runStepToWire), children }
    }),

    on(cancelAgentRun, async ({ principal, params, fail }) => {
      const scope = scopeOf(principal, params)
      if ((await runs.get(scope, params.runID)) === undefined) throw fail('not_found')
      await runs.cancel(params.runID)
      const run = await runs.get(scope, params.runID)
      if (run === undefined) throw fail('not_found')
      return runToWire(run)
    }),

    on(listAgentRunEvents, async ({ principal, params, query, fail }) => {
      const { limit, offset, outcome } = query
      if ((await runs.get(scopeOf(principal, params), params.runID)) === undefined) throw fail('not_found')
      const page = await events(params.runID, { limit, offset, ...(outcome && { outcome }) })
      return { ...page, limit, offset }
    }),
  ]
}

const scopeOf = (principal: { organization: { id: string } }, params: { agentID: string }) => ({
  organizationId: principal.organization.id,
  agentId: params.agentID,
})
