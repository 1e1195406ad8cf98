import { type Chain, smallestText } from '../../policy/units.ts'

/** The values in the snippets; the session is for one chain. */
export type MintParts = {
  baseUrl: string
  walletId: string
  agentId: string | undefined
  expiresAt: string
  chain: Pick<Chain, 'handle' | 'native_asset'>
}

const capPerTx = '0.01'
const capTotal = '0.05'

/** The cap of the snippets in words: `10000000000000000 is 0.01 ETH`. */
export function capText({ native_asset: { symbol, decimals } }: MintParts['chain']): string {
  return `${smallestText(capPerTx, decimals)} is ${capPerTx} ${symbol}`
}

const limits = ({ walletId, agentId, expiresAt, chain }: MintParts) => ({
  wallet_id: walletId,
  ...(agentId !== undefined && { agent_id: agentId }),
  name: 'shopping bot',
  allowed_chains: [chain.handle],
  allowed_methods: ['sendTransaction'],
  max_spend_per_tx_native: smallestText(capPerTx, chain.native_asset.decimals),
  max_spend_total_native: smallestText(capTotal, chain.native_asset.decimals),
  expires_at: expiresAt,
})

/** A body as JSON with its short lists on one line. */
const jsonOf = (parts: MintParts) =>
  JSON.stringify(limits(parts), null, 2).replace(/\[\s+("[^"]*")\s+\]/g, '[$1]')

/** The curl command that mints a session. */
export function mintByCurl(parts: MintParts): string {
  return `curl ${parts.baseUrl}/v1/s2s/agent-sessions \\
  -H 'Authorization: Bearer sk_live_…' \\
  -H 'Content-Type: application/json' \\
  -d '${jsonOf(parts)}'`
}

/** The program of a backend that mints a session with the SDK. */
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
console.log(session.token) // as_live_…, returned only once`
}

/** The curl command of a first call with the token. */
export function tryByCurl(baseUrl: string): string {
  return `curl ${baseUrl}/v1/agents/me \\
  -H 'Authorization: Bearer as_live_…'`
}
