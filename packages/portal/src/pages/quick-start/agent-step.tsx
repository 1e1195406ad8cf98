import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { nowMs } from '../../adapters/browser.ts'
import { useOrganization } from '../../data/organization.tsx'
import { walletsQuery } from '../../data/queries.ts'
import { useExampleChain } from '../../policy/use-chains.ts'
import { botName, botPaymentSnippet, botSessionSnippet, botWalletSnippet } from './agent-snippets.ts'
import { Shown } from './shown.tsx'

const watchMs = 3_000
const dayMs = 86_400_000
/** As many as one page of the API has: the wallet was made a moment ago. */
const newest = 100

/** From a wallet of an agent's own to a payment that is signed, and one that is refused. */
export function AgentStep({ secretKey }: { secretKey: string }) {
  const { id: orgID, slug } = useOrganization()
  const baseUrl = location.origin
  const chain = useExampleChain()
  const { data: walletId } = useQuery({
    ...walletsQuery(orgID, { status: 'active', limit: newest }),
    select: ({ items }) => items.find(({ identity }) => identity.provider_user_id === botName)?.id,
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ identity }) => identity.provider_user_id === botName) ? false : watchMs,
  })
  const [expiresAt] = useState(() => new Date(nowMs() + dayMs).toISOString())
  const { symbol } = chain.native_asset
  return (
    <>
      <p>
        An agent gets a wallet that belongs to nobody else: a{' '}
        <code className="font-mono text-xs">provider_user_id</code> has no mailbox that somebody could sign in
        with.
      </p>
      <Shown what="agent wallet" {...botWalletSnippet({ baseUrl, secretKey })} />
      <p role="status">
        {walletId === undefined
          ? 'As soon as the wallet is there, its id is below.'
          : 'The wallet is there: its id is below.'}{' '}
        Mint a session: its token may pay 0.01 {symbol} at once and 0.02 {symbol} in all, for a day.
      </p>
      <Shown what="session" {...botSessionSnippet({ baseUrl, secretKey, walletId, chain, expiresAt })} />
      <p>
        The answer has the <code className="font-mono text-xs">token</code>, this once: the agent signs with
        it, and with nothing else. This is within its limits:
      </p>
      <Shown what="payment" {...botPaymentSnippet({ baseUrl, chain, coins: '0.01' })} />
      <p>
        This is not, and is refused with the reason{' '}
        <code className="font-mono text-xs">per_tx_cap_exceeded</code>:
      </p>
      <Shown what="refused payment" {...botPaymentSnippet({ baseUrl, chain, coins: '0.011' })} />
      <p>
        Both are attempts of the session in{' '}
        <Link to="/o/$slug/agent-sessions" params={{ slug }} className="text-accent underline">
          Agent sessions
        </Link>
        . For one that others can talk to,{' '}
        <Link
          to="/o/$slug/agents"
          params={{ slug }}
          search={{ create: true }}
          className="text-accent underline"
        >
          create an agent
        </Link>{' '}
        with this wallet.
      </p>
    </>
  )
}
