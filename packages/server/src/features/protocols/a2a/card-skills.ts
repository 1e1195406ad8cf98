import type { AgentSkill } from '@symbolon/api'
import { type AgentTools, usableTools } from '../../agents/index.ts'
import type { CardAgent } from './tasks.store.ts'

/** A skill with all that a card says about it, nothing empty. */
export type CardSkill = Required<Omit<AgentSkill, 'examples'>> & Pick<AgentSkill, 'examples'>

const chainsMax = 15
const tag = 'wallet'

/**
 * What an agent can do: what its owner says, and the tools that can work under its policy, tagged with the chains they work on. An agent
 * works on objectives in words, or on one call of such a tool.
 */
export function cardSkills(tools: AgentTools, { skills, holder }: CardAgent): readonly CardSkill[] {
  const own = skills.map(({ description, tags = [], examples, ...skill }) => ({
    ...skill,
    description: description.trim() === '' ? `${skill.name}.` : description,
    tags: tags.length === 0 ? [tag] : tags,
    ...(examples !== undefined && examples.length > 0 && { examples }),
  }))
  const ids = new Set(own.map(({ id }) => id))
  const usable = usableTools(tools, holder).filter(({ name }) => !ids.has(name))
  return [
    ...own,
    ...usable.map(({ name, skill, chains }) => ({
      id: name,
      ...skill,
      tags: [tag, ...(chains ?? []).slice(0, chainsMax)],
    })),
  ]
}
