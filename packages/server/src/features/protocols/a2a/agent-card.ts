import { AgentCard, type AgentInterface } from '@a2a-js/sdk'
import type { AgentTools } from '../../agents/index.ts'
import { type CardSigner, signCard } from './card-signature.ts'
import { cardSkills } from './card-skills.ts'
import type { CardAgent } from './tasks.store.ts'

const version = '1.0.0'
const bearerDescription =
  'A session token of the agent (as_live_…), or a delegation by another agent (ac_live_…).'
// Nothing in a card is empty: whoever leaves out what is, and who does not, sees the same signed bytes.
const roles = ['agent']
const modes = ['text/plain', 'application/json']

/** The JSON-RPC endpoint of an agent. */
export const endpointUrl = (baseUrl: string, agentId: string): string => `${baseUrl}/v1/agents/${agentId}/a2a`

/** What cards are made with. */
export type CardCtx = { tools: AgentTools; signer: CardSigner }

/** The card of an agent as A2A 1.0 has it (section 4.4.1), signed; both 1.0 and 0.3 are spoken at the one endpoint. */
export function agentCard(ctx: CardCtx, agent: CardAgent): AgentCard {
  const card = unsignedCard(ctx, agent)
  return { ...card, signatures: [{ ...signCard(ctx.signer, toJson(card)), header: undefined }] }
}

function unsignedCard({ tools, signer: { baseUrl } }: CardCtx, agent: CardAgent): AgentCard {
  const url = endpointUrl(baseUrl, agent.id)
  const spoken = (protocolVersion: string): AgentInterface => ({
    url,
    protocolBinding: 'JSONRPC',
    tenant: '',
    protocolVersion,
  })
  return {
    name: agent.name,
    description: descriptionOf(agent),
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
    securityRequirements: [{ schemes: { bearer: { list: roles } } }],
    signatures: [],
    defaultInputModes: modes,
    defaultOutputModes: modes,
    skills: cardSkills(tools, agent).map(({ examples = [], ...skill }) => ({
      ...skill,
      examples,
      inputModes: [],
      outputModes: [],
      securityRequirements: [],
    })),
  }
}

const toJson = (card: AgentCard) => AgentCard.toJSON(card) as Record<string, unknown>

/** The strict card of 1.0, in JSON. */
export const strictCard = (ctx: CardCtx, agent: CardAgent): Record<string, unknown> =>
  toJson(agentCard(ctx, agent))

/**
 * The card for everybody else: the documented fields (`id`, `name`, `description`, `capabilities`, `endpoint_url`), those of 0.1 to 0.3
 * and those of 1.0 in one object. Where two generations use one name, each finds what it reads.
 */
export function hybridCard(ctx: CardCtx, agent: CardAgent): Record<string, unknown> {
  const url = endpointUrl(ctx.signer.baseUrl, agent.id)
  const card = {
    ...toJson(unsignedCard(ctx, agent)),
    id: agent.id,
    endpoint_url: url,
    url,
    protocolVersion: '0.3.0',
    preferredTransport: 'JSONRPC',
    additionalInterfaces: [{ url, transport: 'JSONRPC' }],
    capabilities: {
      streaming: true,
      pushNotifications: true,
      extendedAgentCard: true,
    },
    supportsAuthenticatedExtendedCard: true,
    authentication: { schemes: ['bearer'] },
    security: [{ bearer: roles }],
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
  return { ...card, signatures: [signCard(ctx.signer, card)] }
}

const descriptionOf = ({ name, description, organizationName }: CardAgent): string =>
  description.trim() === ''
    ? `${name} works for ${organizationName} with a wallet, within a policy.`
    : description
