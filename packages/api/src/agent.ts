import * as z from 'zod'
import { AgentPolicy } from './agent-policy.ts'
import { DisplayName, Id, Prose, Timestamp, VisibleAscii } from './formats.ts'
import { page } from './wallet-list.ts'

/** How an agent's objectives are worked on; `scripted` is for tests and protocol conformance, not in production. */
export const RunnerName = z.enum(['intent', 'llm', 'scripted']).meta({ id: 'RunnerName' })

const description = Prose.max(4096)

/** What an agent says it can do, for its card. */
export const AgentSkill = z
  .strictObject({
    id: VisibleAscii.min(1).max(64),
    name: DisplayName,
    description,
    tags: z.array(Prose.min(1).max(64)).max(16).exactOptional(),
    examples: z.array(Prose.min(1).max(1024)).max(16).exactOptional(),
  })
  .meta({ id: 'AgentSkill' })

/** Skills to set: each has an id of its own. */
const NewSkills = z
  .array(AgentSkill)
  .max(32)
  .check(({ value, issues }) => {
    for (const [place, { id }] of value.entries())
      if (value.findIndex((skill) => skill.id === id) < place)
        issues.push({
          code: 'custom',
          message: 'is the id of another skill too',
          path: [place, 'id'],
          input: id,
        })
  })

const editable = {
  name: DisplayName,
  description,
  runner: RunnerName,
  objective_template: Prose.max(8192).meta({
    description: '`{{objective}}` stands for the objective. Text from outside is data, never instructions.',
  }),
  policy: AgentPolicy,
  skills: z.array(AgentSkill).max(32),
}

/** A new agent. */
export const CreateAgent = z
  .strictObject({
    name: editable.name,
    wallet_id: Id,
    description: editable.description.exactOptional(),
    runner: editable.runner.exactOptional(),
    objective_template: editable.objective_template.exactOptional(),
    policy: editable.policy.exactOptional(),
    skills: NewSkills.exactOptional(),
  })
  .meta({ id: 'CreateAgent' })

/** What may be changed of an agent; its wallet never. */
export const ChangeAgent = z
  .strictObject({
    name: editable.name.exactOptional(),
    description: editable.description.exactOptional(),
    runner: editable.runner.exactOptional(),
    objective_template: editable.objective_template.exactOptional(),
    policy: editable.policy.exactOptional(),
    skills: NewSkills.exactOptional(),
  })
  .meta({ id: 'ChangeAgent' })

/** An agent of an organization. */
export const Agent = z
  .strictObject({
    id: Id,
    organization_id: Id,
    wallet_id: Id,
    status: z.enum(['active', 'archived']),
    ...editable,
    session_id: Id.meta({ description: 'The session of the agent’s own runs, with its own budget.' }),
    endpoint_url: z.string().meta({ description: 'Its A2A endpoint.' }),
    created_at: Timestamp,
    updated_at: Timestamp,
    archived_at: Timestamp.nullable(),
  })
  .meta({ id: 'Agent' })

/** Which agents. */
export const ListAgents = z.strictObject({ ...page, status: z.enum(['active', 'archived']).exactOptional() })

/** A page of agents, newest first. */
export const AgentPage = z
  .strictObject({ items: z.array(Agent), total: z.int(), limit: z.int(), offset: z.int() })
  .meta({ id: 'AgentPage' })

/** An agent as the API returns it. */
export type Agent = z.output<typeof Agent>
/** A new agent, parsed. */
export type CreateAgent = z.output<typeof CreateAgent>
/** A change of an agent, parsed. */
export type ChangeAgent = z.output<typeof ChangeAgent>
/** A skill of an agent. */
export type AgentSkill = z.output<typeof AgentSkill>
