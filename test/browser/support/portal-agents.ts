import { newCompany, type Visitor } from './portal-fixture.ts'

/** A company with a wallet of the enclave, and calls of its backend. */
export type AgentCompany = {
  id: string
  at: string
  walletId: string
  asBackend<data>(method: string, path: string, body?: unknown): Promise<data>
}

/** Makes a company whose wallet agents may sign with; the platform is at `baseUrl`. */
export async function agentCompany(owner: Visitor, slug: string, baseUrl: string): Promise<AgentCompany> {
  const { id, at } = await newCompany(owner, { slug })
  const { key } = await owner.call<{ key: string }>('POST', `/v1/orgs/${id}/api-keys`, {
    name: 'Backend',
    type: 'secret',
  })
  const asBackend = async <data>(method: string, path: string, body?: unknown) => {
    const { status, json } = await callWith<data>(baseUrl, key, method, path, body)
    if (json.data === null) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(json.error)}`)
    return json.data
  }
  const wallet = await asBackend<{ id: string }>('POST', '/v1/s2s/wallets', { email: 'bot@example.test' })
  return { id, at, walletId: wallet.id, asBackend }
}

/** Mints a session that may pay 1 ETH in all, half of it at once, on two chains. */
export function mintFor(
  { walletId, asBackend }: AgentCompany,
  more: Record<string, unknown> = {},
): Promise<{ id: string; token: string }> {
  return asBackend('POST', '/v1/s2s/agent-sessions', {
    wallet_id: walletId,
    name: 'Shopping bot',
    allowed_chains: ['base', 'base-sepolia'],
    allowed_methods: ['sendTransaction'],
    max_spend_per_tx_native: '500000000000000000',
    max_spend_total_native: '1000000000000000000',
    max_tx_count: 10,
    expires_at: new Date(Date.now() + 86_400_000).toISOString(),
    ...more,
  })
}

/** Signs a payment with an agent's token; answers the status. */
export async function payAs(baseUrl: string, token: string, wei: bigint, nonce: number): Promise<number> {
  const body = {
    type: 'transaction',
    chain: 'base',
    transaction: {
      to: `0x${'00'.repeat(19)}42`,
      value: `0x${wei.toString(16)}`,
      nonce: `0x${nonce.toString(16)}`,
      gas_limit: '0x5208',
      max_fee_per_gas: '0x3b9aca00',
      max_priority_fee_per_gas: '0x0',
    },
  }
  return (await callWith(baseUrl, token, 'POST', '/v1/agents/me/sign', body)).status
}

async function callWith<data>(baseUrl: string, bearer: string, method: string, path: string, body?: unknown) {
  const answer = await fetch(`${baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const json = (await answer.json()) as { data: data | null; error: unknown }
  return { status: answer.status, json }
}
