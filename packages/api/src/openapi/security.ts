import type { Lane } from '../lanes.ts'

/** Where each credential travels. */
export const securitySchemes = {
  agentToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'as_live_',
    description: 'Agent session token.',
  },
  delegationToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'ac_live_',
    description:
      'Delegation token that one agent gives another with a task: single use, valid for 120 seconds.',
  },
  endUserToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'End-user JWT, valid for one hour.',
  },
  portalSession: { type: 'apiKey', in: 'cookie', name: '__Host-session', description: 'Portal session.' },
  publishableKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Service-Publishable-Key',
    description: 'Publishable key, `pk_live_`.',
  },
  secretKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'sk_live_',
    description: 'Secret key with scope `full` or `read`. Can be limited to CIDR ranges and expire.',
  },
} as const

/** What a lane asks for: one of the entries, and all schemes within it. */
export const laneSecurity = {
  public: [],
  publishable: [{ publishableKey: [] }],
  wallet: [{ publishableKey: [], endUserToken: [] }],
  secret: [{ secretKey: [] }],
  publishable_or_secret: [{ publishableKey: [] }, { secretKey: [] }],
  agent: [{ agentToken: [] }],
  portal: [{ portalSession: [] }],
  portal_or_secret: [{ portalSession: [] }, { secretKey: [] }],
  secret_or_agent: [{ secretKey: [] }, { agentToken: [] }],
  agent_or_delegate: [{ agentToken: [] }, { delegationToken: [] }],
} as const satisfies Record<
  Lane,
  readonly { readonly [name in keyof typeof securitySchemes]?: readonly [] }[]
>
