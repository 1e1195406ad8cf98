import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { nowMs } from '../../adapters/browser.ts'
import { agentsQuery } from '../../data/agent-queries.ts'
import { useOrganization } from '../../data/organization.tsx'
import { walletQuery } from '../../data/queries.ts'
import { useExampleChain } from '../../policy/use-chains.ts'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SelectField } from '../../ui/field.tsx'
import { TextLink } from '../../ui/links.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { OwnerWarning, type Wallet, WalletName } from '../wallets/wallet-owner.tsx'
import { WalletPicker } from '../wallets/wallet-picker.tsx'
import { capText, type MintParts, mintByCurl, mintBySdk, tryByCurl } from './mint-snippets.ts'

const weekMs = 7 * 86_400_000
const tools = [
  ['curl', 'curl'],
  ['node', 'Node.js'],
] as const

/** How to mint a session from a backend, with its secret key. The portal itself mints no tokens. */
export function MintDialog({ agentId, onClose }: { agentId: string | undefined; onClose: () => void }) {
  const { data: agents } = useQuery(agentsQuery(useOrganization().id, { status: 'active', limit: 100 }))
  const [chosen, setChosen] = useState(agentId ?? '')
  const [expiresAt] = useState(() => new Date(nowMs() + weekMs).toISOString())
  const [wallet, setWallet] = useState<Wallet>()
  const agent = agents?.items.find(({ id }) => id === chosen)
  const chain = useExampleChain(agent?.policy.allowed_chains)
  const walletId = agent?.wallet_id ?? wallet?.id ?? '…'
  const names = (agents?.items ?? []).map(({ id, name }) => [id, name] as const)
  return (
    <Dialog
      form="side"
      title="Mint a session"
      text="Your backend mints sessions with its secret key, so tokens never pass through a browser."
      onClose={onClose}
      footer={<Button onClick={onClose}>Done</Button>}
    >
      <SelectField
        label="For"
        hint="An agent’s policy also limits its sessions. Their tokens can call the agent over A2A and MCP."
        value={chosen}
        onText={setChosen}
        options={[['', 'No agent: a token with its own limits'], ...names]}
      />
      {agent === undefined ? (
        <WalletPicker value={wallet} hint="The session signs with this wallet." onChange={setWallet} />
      ) : (
        <AgentWallet walletId={agent.wallet_id} />
      )}
      <Snippets parts={{ baseUrl: location.origin, walletId, agentId: agent?.id, expiresAt, chain }} />
    </Dialog>
  )
}

function Snippets({ parts }: { parts: MintParts }) {
  const [tool, setTool] = useState<'curl' | 'node'>('curl')
  return (
    <>
      <Segmented label="Tool" options={tools} value={tool} onChange={setTool} />
      {tool === 'curl' ? (
        <CodeBlock language="Shell" what="mint" code={mintByCurl(parts)} />
      ) : (
        <CodeBlock language="mint.mjs" what="program" code={mintBySdk(parts)} />
      )}
      <p className="text-sm text-pretty text-muted">
        Amounts are in the smallest unit: {capText(parts.chain)}. The response contains the token, which you
        can’t retrieve again; <code className="font-mono text-xs">clipped</code> lists the limits that your
        rules or the agent reduced. Create secret keys under{' '}
        <TextLink to="/o/$slug/api-keys">API keys</TextLink>.
      </p>
      <CodeBlock language="Shell, with the token" what="first call" code={tryByCurl(parts.baseUrl)} />
    </>
  )
}

/** The wallet of an agent, which cannot be chosen. */
function AgentWallet({ walletId }: { walletId: string }) {
  const query = useQuery(walletQuery(useOrganization().id, walletId))
  return (
    <Loaded query={query} className="h-14 rounded-lg">
      {(wallet) => (
        <div className="flex flex-col gap-2">
          <p className="text-sm font-medium">Wallet</p>
          <div className="rounded-lg border border-line px-3 py-2">
            <WalletName wallet={wallet} />
          </div>
          <OwnerWarning wallet={wallet} />
        </div>
      )}
    </Loaded>
  )
}
