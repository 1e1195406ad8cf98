import type { AgentEvent, AgentRun, AgentRunStep } from '@symbolon/api'
import { callAs, type PortalUser } from '../app/portal-user.ts'
import type { TestApp } from '../app/test-app.ts'

/** A run with its journal, as the portal shows it. */
export type RunDetail = AgentRun & { journal: AgentRunStep[]; children: string[] }

/** Whose runs. */
export type RunOwner = { member: PortalUser; organizationId: string }

const pathOf = ({ organizationId }: RunOwner, agentId: string) =>
  `/v1/orgs/${organizationId}/agents/${agentId}/runs`

/** Starts a run from the portal. */
export async function startRun(
  app: Pick<TestApp, 'call'>,
  owner: RunOwner,
  agentId: string,
  objective: string | object,
): Promise<AgentRun> {
  const call = ['POST', pathOf(owner, agentId), { objective }] as const
  const { status, text, data } = await callAs<AgentRun>(app, owner.member, call)
  if (status !== 201) throw new Error(`The run was not started: ${text}`)
  return data
}

/** Reads a run. */
export async function readRun(
  app: Pick<TestApp, 'call'>,
  owner: RunOwner,
  { id, agent_id }: Pick<AgentRun, 'id' | 'agent_id'>,
): Promise<RunDetail> {
  const call = ['GET', `${pathOf(owner, agent_id)}/${id}`] as const
  const { status, text, data } = await callAs<RunDetail>(app, owner.member, call)
  if (status !== 200) throw new Error(`The run is not there: ${text}`)
  return data
}

/** What a run tried to sign. */
export async function runEvents(
  app: Pick<TestApp, 'call'>,
  owner: RunOwner,
  { id, agent_id }: Pick<AgentRun, 'id' | 'agent_id'>,
): Promise<AgentEvent[]> {
  const call = ['GET', `${pathOf(owner, agent_id)}/${id}/events`] as const
  return (await callAs<{ items: AgentEvent[] }>(app, owner.member, call)).data.items
}

/** Resolves with the run once it is in one of the states; without any, once it has ended. */
export async function runReaches(
  app: Pick<TestApp, 'call'>,
  owner: RunOwner,
  run: Pick<AgentRun, 'id' | 'agent_id'>,
  states: readonly AgentRun['state'][] = ['completed', 'failed', 'canceled'],
  withinMs = 15_000,
): Promise<RunDetail> {
  const endsAt = performance.now() + withinMs
  for (;;) {
    const found = await readRun(app, owner, run)
    if (states.includes(found.state)) return found
    if (performance.now() > endsAt)
      throw new Error(`The run is ${found.state} still: ${JSON.stringify(found.journal)}`)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}
