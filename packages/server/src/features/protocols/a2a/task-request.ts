import { TaskNotFoundError } from '@a2a-js/sdk/errors'
import type { GuardedOutbound } from '../../../ports/outbound.ts'
import { callerName, type RunsCtx } from '../../agents/index.ts'
import { type AgentCaller, runCallerOf } from '../called-agent.ts'
import type { CardCtx } from './agent-card.ts'
import type { OpenStreams } from './open-streams.ts'
import type { PushTargets } from './push-config.ts'
import { type CardAgent, type TaskRun, type TaskScope, tasksStore } from './tasks.store.ts'

/** The context of requests about tasks. */
export type TaskCtx = {
  runs: RunsCtx
  targets: PushTargets
  outbound: Pick<GuardedOutbound, 'allows'>
  cards: CardCtx
  /** The time that a blocking request waits for its task. */
  patienceMs: number
  /** Counts the lists with history or artifacts that each organization has under way. */
  largeLists: OpenStreams
}

/** One request of a caller to an agent. */
export type TaskRequest = { agent: CardAgent; caller: AgentCaller; signal: AbortSignal }

/** The tasks that a caller has with an agent. */
export const scopeOf = ({ agent, caller }: TaskRequest): TaskScope => ({
  organizationId: agent.organizationId,
  agentId: agent.id,
  caller: callerName(runCallerOf(caller)),
})

/** A task of the caller. */
export const findTask = (
  { runs }: TaskCtx,
  request: TaskRequest,
  taskId: string,
): Promise<TaskRun | undefined> => tasksStore.find(runs.sql, scopeOf(request), taskId)

/** A task of the caller; throws -32001 for any other. */
export async function knownTask(ctx: TaskCtx, request: TaskRequest, taskId: string): Promise<TaskRun> {
  const run = taskId === '' ? undefined : await findTask(ctx, request, taskId)
  if (run === undefined) throw new TaskNotFoundError()
  return run
}

/** A task as it is now. */
export const currentTask = async ({ runs }: TaskCtx, run: TaskRun): Promise<TaskRun> =>
  (await tasksStore.byRun(runs.sql, run.id)) ?? run
