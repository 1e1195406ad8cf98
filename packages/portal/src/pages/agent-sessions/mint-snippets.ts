/** What the snippets are filled with. */
export type MintParts = { baseUrl: string; walletId: string; agentId: string | undefined; expiresAt: string }

const limits = ({ walletId, agentId, expiresAt }: MintParts) => ({
  wallet_id: walletId,
  ...(agentId !== undefined && { agent_id: agentId }),
  name: 'shopping bot',
  allowed_chains: ['base-sepolia'],
  allowed_methods: ['sendTransaction'],
  max_spend_per_tx_native: '10000000000000000',
  max_spend_total_native: '50000000000000000',
  expires_at: expiresAt,
})

/** A body as JSON with its short lists on one line. */
const jsonOf = (parts: MintParts) =>
  JSON.stringify(limits(parts), null, 2).replace(/\[\s+("[^"]*")\s+\]/g, '[$1]')

/** A mint by curl. */
export function mintByCurl(parts: MintParts): string {
  return `curl ${parts.baseUrl}/v1/s2s/agent-sessions \\
  -H 'Authorization: Bearer sk_live_…' \\
  -H 'Content-Type: application/json' \\
  -d '${jsonOf(parts)}'`
}

/** A mint by the SDK, in a backend. */
export function mintBySdk(parts: MintParts): string {
  const body = jsonOf(parts)
    .replace(/^( +)"(\w+)":/gm, '$1$2:')
    .replaceAll('"', "'")
  return `import { createServerClient } from '@symbolon/sdk/server'

const client = createServerClient({
  secretKey: process.env.SYMBOLON_SECRET_KEY,
  baseUrl: '${parts.baseUrl}',
})
const { data: session, error } = await client.agentSessions.mint(${body})
if (error) throw new Error(error.message)
console.log(session.token) // as_live_…, shown this once`
}

/** A first call with the token. */
export function tryByCurl(baseUrl: string): string {
  return `curl ${baseUrl}/v1/agents/me \\
  -H 'Authorization: Bearer as_live_…'`
}
