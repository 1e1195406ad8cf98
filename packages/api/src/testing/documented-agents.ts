/** A route as the HTTP API document has it. */
export type Documented = [method: string, path: string, lane: string, status: number, codes: string]

/** Routes below a company: another company's are 404. */
export function memberRoutes(
  below: [method: string, path: string, status: number, codes: string][],
): Documented[] {
  return below.map(([method, path, status, codes]) => [
    method,
    `/v1/orgs/{orgID}${path}`,
    'portal',
    status,
    `not_found ${codes}`,
  ])
}

/** The routes of agents, for the comparison with the contract. */
export const documentedAgents: Documented[] = [
  [
    'POST',
    '/v1/s2s/agent-sessions',
    'secret',
    201,
    'wallet_not_found wallet_not_tee_mode wallet_archived not_found agent_archived chain_unsupported insufficient_scope',
  ],
  ['GET', '/v1/s2s/agent-sessions', 'secret', 200, 'invalid_request'],
  ['GET', '/v1/s2s/agent-sessions/{id}', 'secret', 200, 'not_found'],
  ['GET', '/v1/agents/me', 'agent', 200, ''],
  [
    'POST',
    '/v1/agents/me/sign',
    'agent',
    200,
    'invalid_payload invalid_curve chain_unsupported policy_violation state_rolled_back',
  ],
  [
    'POST',
    '/v1/agents/me/transactions',
    'agent',
    200,
    'invalid_payload chain_unsupported bad_to wallet_not_evm estimate_gas_reverted insufficient_funds policy_violation state_rolled_back rpc_failed broadcast_failed',
  ],
  ['GET', '/v1/agents/{agentID}/.well-known/agent-card.json', 'public', 200, 'not_found unavailable'],
  ['GET', '/v1/agents/{agentID}/.well-known/agent.json', 'public', 200, 'not_found unavailable'],
  ['POST', '/v1/agents/{agentID}/a2a', 'agent_or_delegate', 200, 'raw not_found forbidden rate_limited'],
  ['POST', '/v1/agents/{agentID}/mcp', 'agent', 200, 'raw not_found forbidden origin_not_allowed'],
  [
    'POST',
    '/v1/hooks/agents/{hookID}',
    'public',
    202,
    'raw invalid_request unauthorized not_found rate_limited unavailable',
  ],
  ...memberRoutes([
    ['GET', '/rules', 200, 'forbidden'],
    ['PUT', '/rules', 200, 'forbidden chain_unsupported rate_limited'],
    ['GET', '/agents', 200, 'invalid_request rate_limited'],
    [
      'POST',
      '/agents',
      201,
      'forbidden wallet_not_found wallet_not_tee_mode wallet_archived chain_unsupported rate_limited',
    ],
    ['GET', '/agents/{agentID}', 200, ''],
    ['PATCH', '/agents/{agentID}', 200, 'forbidden agent_archived chain_unsupported'],
    ['POST', '/agents/{agentID}/archive', 204, 'forbidden'],
    ['GET', '/agents/{agentID}/runs', 200, 'invalid_request'],
    ['POST', '/agents/{agentID}/runs', 201, 'forbidden agent_archived rate_limited'],
    ['GET', '/agents/{agentID}/runs/{runID}', 200, ''],
    ['POST', '/agents/{agentID}/runs/{runID}/cancel', 200, 'forbidden'],
    ['GET', '/agents/{agentID}/runs/{runID}/events', 200, 'invalid_request'],
    ['GET', '/agents/{agentID}/hooks', 200, ''],
    ['POST', '/agents/{agentID}/hooks', 201, 'forbidden agent_archived rate_limited'],
    ['DELETE', '/agents/{agentID}/hooks/{hookID}', 204, 'forbidden'],
    ['POST', '/agents/{agentID}/hooks/{hookID}/rotate-secret', 200, 'forbidden agent_archived'],
    ['GET', '/agent-sessions', 200, 'invalid_request rate_limited'],
    ['GET', '/agent-sessions/{sessionID}', 200, ''],
    ['GET', '/agent-sessions/{sessionID}/events', 200, 'invalid_request'],
  ]),
  [
    'POST',
    '/v1/orgs/{orgID}/agent-sessions/{sessionID}/revoke',
    'portal_or_secret',
    200,
    'not_found forbidden insufficient_scope',
  ],
]
