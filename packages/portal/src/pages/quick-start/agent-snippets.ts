import { type Chain, smallestText } from '../../policy/units.ts'
import type { Snippet } from './snippets.ts'

/** The user ID of the agent's wallet in the snippets; it has no mailbox, so nobody can log in as it. */
export const botName = 'bot-77'

type Backend = { baseUrl: string; secretKey: string }

const post = (url: string, bearer: string, body: object) => `curl ${url} \\
  -H 'Authorization: Bearer ${bearer}' \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(body, null, Object.keys(body).length > 1 ? 2 : 0)}'`

/** Creates a wallet that only an agent uses. */
export function botWalletSnippet({ baseUrl, secretKey }: Backend): Snippet {
  const body = { provider_user_id: botName }
  return { language: 'Shell', code: post(`${baseUrl}/v1/s2s/wallets`, secretKey, body) }
}

/** Mints a session that may spend 0.01 per transaction and 0.02 in total, on one chain, until `expiresAt`. */
export function botSessionSnippet({
  baseUrl,
  secretKey,
  walletId,
  chain,
  expiresAt,
}: Backend & {
  walletId: string | undefined
  chain: Pick<Chain, 'handle' | 'native_asset'>
  expiresAt: string
}): Snippet {
  const body = {
    wallet_id: walletId ?? '…',
    name: botName,
    allowed_chains: [chain.handle],
    allowed_methods: ['sendTransaction'],
    max_spend_per_tx_native: amount('0.01', chain),
    max_spend_total_native: amount('0.02', chain),
    expires_at: expiresAt,
  }
  return { language: 'Shell', code: post(`${baseUrl}/v1/s2s/agent-sessions`, secretKey, body) }
}

/** Signs a payment of `coins` whole coins with the session's token. It is not sent. */
export function botPaymentSnippet({
  baseUrl,
  chain,
  coins,
}: {
  baseUrl: string
  chain: Pick<Chain, 'handle' | 'native_asset'>
  coins: string
}): Snippet {
  const body = {
    type: 'transaction',
    chain: chain.handle,
    transaction: {
      to: `0x${'00'.repeat(19)}42`,
      value: `0x${BigInt(amount(coins, chain)).toString(16)}`,
      nonce: '0x0',
      gas_limit: '0x5208',
      max_fee_per_gas: '0x3b9aca00',
      max_priority_fee_per_gas: '0x0',
    },
  }
  return { language: 'Shell, with the token', code: post(`${baseUrl}/v1/agents/me/sign`, 'as_live_…', body) }
}

function amount(coins: string, { native_asset }: Pick<Chain, 'native_asset'>): string {
  return smallestText(coins, native_asset.decimals) ?? '0'
}
