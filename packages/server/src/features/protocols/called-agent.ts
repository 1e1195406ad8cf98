import type { Queryable } from '../../db/pool.ts'
import type { Principal } from '../../http/principal.ts'
import { type Failure, failure } from '../../runtime/failure.ts'
import type { RunCaller } from '../agents/index.ts'
import { type CardAgent, tasksStore } from './a2a/tasks.store.ts'

/** What is said of an agent that is not there for the caller, whatever the reason. */
export const noAgent = 'Agent not found, or archived. Check the agent’s id in the address.'

/** The caller of an agent: a session, or another agent. */
export type AgentCaller = Principal['agent_or_delegate']

/** The agent that a caller may talk to; one of another organization or an archived one is not found, like an unknown one. */
export async function calledAgent(
  sql: Queryable,
  agentId: string,
  { organization, session }: AgentCaller,
): Promise<CardAgent | Failure<'not_found' | 'forbidden'>> {
  const agent = await tasksStore.agent(sql, agentId)
  if (agent === undefined || agent.organizationId !== organization.id)
    return failure('not_found', { message: noAgent })
  if (session !== undefined && session.agentId !== agent.id)
    return failure('forbidden', {
      message: 'This token does not speak for this agent: create a session that names its id as agent_id.',
    })
  return agent
}

/** A caller as runs know it. */
export const runCallerOf = ({ session, delegate }: AgentCaller): RunCaller =>
  session === undefined ? { kind: 'delegate', delegate } : { kind: 'session', session }
