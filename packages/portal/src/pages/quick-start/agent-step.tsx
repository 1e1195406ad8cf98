import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { nowMs } from '../../adapters/browser.ts'
import { useOrganization } from '../../data/organization.tsx'
import { walletsQuery } from '../../data/queries.ts'
import { useExampleChain } from '../../policy/use-chains.ts'
import { CodeBlock } from '../../ui/code.tsx'
import { TextLink } from '../../ui/links.tsx'
import { botName, botPaymentSnippet, botSessionSnippet, botWalletSnippet } from './agent-snippets.ts'

const watchMs = 3_000
const dayMs = 86_400_000
/** The most that one page of the API has: the wallet is among the newest. */
const newest = 100

/** The step about agents: a wallet, a session, a payment that is signed, and one that is refused. */
export function AgentStep({ secretKey }: { secretKey: string }) {
  const { id: orgID } = useOrganization()
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
        Give the agent its own wallet. A <code className="font-mono text-xs">provider_user_id</code> instead
        of an email address means that nobody can log in to it.
      </p>
      <CodeBlock what="agent wallet" {...botWalletSnippet({ baseUrl, secretKey })} />
      <p role="status">
        {walletId === undefined
          ? 'Once the wallet exists, its ID appears in the next snippet.'
          : 'Your wallet exists, and its ID is in the next snippet.'}{' '}
        Mint a session. Its token may spend 0.01 {symbol} per transaction and 0.02 {symbol} in total, for a
        day.
      </p>
      <CodeBlock what="session" {...botSessionSnippet({ baseUrl, secretKey, walletId, chain, expiresAt })} />
      <p>
        The response contains the <code className="font-mono text-xs">token</code>, only this once. The agent
        signs with it. This payment is within its limits:
      </p>
      <CodeBlock what="payment" {...botPaymentSnippet({ baseUrl, chain, coins: '0.01' })} />
      <p>
        This one isn’t, and is refused with <code className="font-mono text-xs">per_tx_cap_exceeded</code>:
      </p>
      <CodeBlock what="refused payment" {...botPaymentSnippet({ baseUrl, chain, coins: '0.011' })} />
      <p>
        Both requests appear under <TextLink to="/o/$slug/agent-sessions">Agent sessions</TextLink>. For an
        agent that others can talk to,{' '}
        <TextLink to="/o/$slug/agents" search={{ create: true }}>
          create an agent
        </TextLink>{' '}
        with this wallet.
      </p>
    </>
  )
}
