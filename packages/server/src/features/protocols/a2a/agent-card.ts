import { AgentCard, type AgentInterface } from '@a2a-js/sdk'
import type { CardAgent } from './tasks.store.ts'

const version = '1.0.0'
const bearerDescription =
  'A session token of the agent (as_live_…), or a delegation by another agent (ac_live_…).'
const modes = ['text/plain', 'application/json']

/** The JSON-RPC endpoint of an agent. */
export const endpointUrl = (baseUrl: string, agentId: string): string => `${baseUrl}/v1/agents/${agentId}/a2a`

/** The card of an agent as A2A 1.0 has it (section 4.4.1); both 1.0 and 0.3 are spoken at the one endpoint. */
export function agentCard(agent: CardAgent, baseUrl: string): AgentCard {
  const url = endpointUrl(baseUrl, agent.id)
  const spoken = (protocolVersion: string): AgentInterface => ({
    url,
    protocolBinding: 'JSONRPC',
    tenant: '',
    protocolVersion,
  })
  return {
    name: agent.name,
    description: agent.description,
    supportedInterfaces: [spoken('1.0'), spoken('0.3')],
    provider: { organization: agent.organizationName, url: baseUrl },
    version,
    documentationUrl: undefined,
    iconUrl: undefined,
    capabilities: { streaming: true, pushNotifications: true, extensions: [], extendedAgentCard: true },
    securitySchemes: {
      bearer: {
        scheme: {
          $case: 'httpAuthSecurityScheme',
          value: { description: bearerDescription, scheme: 'bearer', bearerFormat: 'as_live_' },
        },
      },
    },
    securityRequirements: [{ schemes: { bearer: { list: [] } } }],
    signatures: [],
    defaultInputModes: modes,
    defaultOutputModes: modes,
    skills: skillsOf(agent).map((skill) => ({
      id: skill.id,
      name: skill.name,
      description: skill.description,
      tags: skill.tags ?? [],
      examples: skill.examples ?? [],
      inputModes: [],
      outputModes: [],
      securityRequirements: [],
    })),
  }
}

/** The strict card of 1.0, in JSON. */
export const strictCard = (agent: CardAgent, baseUrl: string): Record<string, unknown> =>
  wholeCard(AgentCard.toJSON(agentCard(agent, baseUrl)))

/**
 * A card with all that every generation requires of it (descriptions, tags): Protocol Buffers leave out what is empty, and clients look for
 * it all the same.
 */
export function wholeCard(card: unknown): Record<string, unknown> {
  const { skills, ...rest } = card as { skills: object[] }
  return {
    description: '',
    ...rest,
    skills: skills.map((skill) => ({ description: '', tags: [], ...skill })),
  }
}

/**
 * The card for everybody else: the documented fields (`id`, `name`, `description`, `capabilities`, `endpoint_url`), those of 0.1 to 0.3
 * and those of 1.0 in one object. Where two generations use one name, each finds what it reads.
 */
export function hybridCard(agent: CardAgent, baseUrl: string): Record<string, unknown> {
  const url = endpointUrl(baseUrl, agent.id)
  const core = strictCard(agent, baseUrl)
  return {
    ...core,
    id: agent.id,
    endpoint_url: url,
    url,
    protocolVersion: '0.3.0',
    preferredTransport: 'JSONRPC',
    additionalInterfaces: [{ url, transport: 'JSONRPC' }],
    capabilities: {
      streaming: true,
      pushNotifications: true,
      stateTransitionHistory: false,
      extendedAgentCard: true,
    },
    supportsAuthenticatedExtendedCard: true,
    authentication: { schemes: ['bearer'] },
    security: [{ bearer: [] }],
    securitySchemes: {
      bearer: {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'as_live_',
        description: bearerDescription,
        httpAuthSecurityScheme: {
          scheme: 'bearer',
          bearerFormat: 'as_live_',
          description: bearerDescription,
        },
      },
    },
  }
}

/** What the agent says it can do; clients take a card without any skill for a broken one. */
const skillsOf = ({ skills, name, description }: CardAgent): CardAgent['skills'] =>
  skills.length > 0
    ? skills
    : [{ id: 'objective', name, description: description || 'Works on an objective.', tags: ['wallet'] }]
