import { cancelAgentRun, getAgentRun, listAgentRunEvents, listAgentRuns, startAgentRun } from '@symbolon/api'
import { on } from '../../../http/handler.ts'
import { failure, mapResult } from '../../../runtime/failure.ts'
import { agentEventsStore } from '../signing/agent-events.store.ts'
import { listedRunToWire, runStepToWire, runToWire } from './agent-run.ts'
import { agentRunsStore } from './agent-runs.store.ts'
import { cancelRun, type RunsCtx, startRun } from './agent-runs.ts'

/** The runs of an agent in the portal. */
export const agentRunsRoutes = (ctx: RunsCtx) => [
  on(listAgentRuns, async ({ principal, params, query }) => {
    const { limit, offset, state } = query
    const scope = scopeOf(principal, params)
    const status = await agentRunsStore.agentStatus(ctx.sql, scope.organizationId, scope.agentId)
    if (status === undefined) return failure('not_found')
    const page = await agentRunsStore.list(ctx.sql, { ...scope, ...(state && { state }) }, { limit, offset })
    return { items: page.items.map(listedRunToWire), total: page.total, limit, offset }
  }),

  on(startAgentRun, async ({ principal, params, body: { objective } }) => {
    const started = await startRun(ctx, {
      ...scopeOf(principal, params),
      caller: { kind: 'portal', userId: principal.user.id },
      objective:
        typeof objective === 'string'
          ? objective
          : { tool: objective.tool, arguments: objective.arguments ?? {} },
    })
    return mapResult(started, ({ run }) => runToWire(run))
  }),

  on(getAgentRun, async ({ principal, params }) => {
    const run = await agentRunsStore.find(ctx.sql, scopeOf(principal, params), params.runID)
    if (run === undefined) return failure('not_found')
    const [journal, children] = await Promise.all([
      agentRunsStore.journal(ctx.sql, run.id),
      agentRunsStore.children(ctx.sql, run.id),
    ])
    return { ...runToWire(run), journal: journal.map(runStepToWire), children }
  }),

  on(cancelAgentRun, async ({ principal, params }) => {
    const scope = scopeOf(principal, params)
    if ((await agentRunsStore.find(ctx.sql, scope, params.runID)) === undefined) return failure('not_found')
    await cancelRun(ctx, params.runID)
    const run = await agentRunsStore.find(ctx.sql, scope, params.runID)
    return run === undefined ? failure('not_found') : runToWire(run)
  }),

  on(listAgentRunEvents, async ({ principal, params, query }) => {
    const { limit, offset, outcome } = query
    const run = await agentRunsStore.find(ctx.sql, scopeOf(principal, params), params.runID)
    if (run === undefined) return failure('not_found')
    const page = { limit, offset, ...(outcome && { outcome }) }
    return { ...(await agentEventsStore.list(ctx.sql, { runId: run.id }, page)), limit, offset }
  }),
]

const scopeOf = (principal: { organization: { id: string } }, params: { agentID: string }) => ({
  organizationId: principal.organization.id,
  agentId: params.agentID,
})
