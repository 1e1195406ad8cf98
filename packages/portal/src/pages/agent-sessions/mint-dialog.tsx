import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { nowMs } from '../../adapters/browser.ts'
import { agentsQuery } from '../../data/agent-queries.ts'
import { useOrganization } from '../../data/organization.tsx'
import { walletQuery } from '../../data/queries.ts'
import { useExampleChain } from '../../policy/use-chains.ts'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { OwnerWarning, type Wallet, WalletName } from '../wallets/wallet-owner.tsx'
import { WalletPicker } from '../wallets/wallet-picker.tsx'
import { capText, mintByCurl, mintBySdk, tryByCurl } from './mint-snippets.ts'

const weekMs = 7 * 86_400_000
const tools = [
  ['curl', 'curl'],
  ['node', 'Node.js'],
] as const

/** How a session is minted: by the backend, with its secret key. The portal itself mints no tokens. */
export function MintDialog({ agentId, onClose }: { agentId: string | undefined; onClose: () => void }) {
  const { id: orgID, slug } = useOrganization()
  const { data: agents } = useQuery(agentsQuery(orgID, { status: 'active', limit: 100 }))
  const [tool, setTool] = useState<'curl' | 'node'>('curl')
  const [chosen, setChosen] = useState(agentId ?? '')
  const [expiresAt] = useState(() => new Date(nowMs() + weekMs).toISOString())
  const [wallet, setWallet] = useState<Wallet>()
  const agent = agents?.items.find(({ id }) => id === chosen)
  const chain = useExampleChain(agent?.policy.allowed_chains)
  const walletId = agent?.wallet_id ?? wallet?.id ?? '…'
  const parts = { baseUrl: location.origin, walletId, agentId: agent?.id, expiresAt, chain }
  return (
    <Dialog
      form="side"
      title="Mint a session"
      text="Your backend mints it with a secret key, so that the token never passes through a browser."
      onClose={onClose}
      footer={<Button onClick={onClose}>Done</Button>}
    >
      <Field
        label="For"
        hint="An agent’s policy limits its sessions too, and its sessions may talk to it over A2A and MCP."
      >
        {(props) => (
          <Select {...props} value={chosen} onChange={(event) => setChosen(event.target.value)}>
            <option value="">Nobody in particular: a token with limits of its own</option>
            {agents?.items.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {agent === undefined ? (
        <WalletPicker value={wallet} hint="The session signs with it." onChange={setWallet} />
      ) : (
        <AgentWallet walletId={agent.wallet_id} />
      )}
      <Segmented label="Tool" options={tools} value={tool} onChange={setTool} />
      {tool === 'curl' ? (
        <CodeBlock language="Shell" what="mint" code={mintByCurl(parts)} />
      ) : (
        <CodeBlock language="mint.mjs" what="program" code={mintBySdk(parts)} />
      )}
      <p className="text-sm text-pretty text-muted">
        Amounts are in the smallest unit: {capText(chain)}. The answer has the token, this once, and names in{' '}
        <code className="font-mono text-xs">clipped</code> what your rules or the agent made stricter. Secret
        keys come from{' '}
        <Link to="/o/$slug/api-keys" params={{ slug }} className="text-accent underline">
          API keys
        </Link>
        .
      </p>
      <CodeBlock language="Shell, with the token" what="first call" code={tryByCurl(location.origin)} />
    </Dialog>
  )
}

/** The wallet that an agent works with: it cannot be chosen. */
function AgentWallet({ walletId }: { walletId: string }) {
  const { data: wallet } = useQuery(walletQuery(useOrganization().id, walletId))
  if (wallet === undefined) return <div className="pulse h-14 rounded-lg bg-sunken" aria-busy="true" />
  return (
    <div className="flex flex-col gap-2">
      <p className="text-sm font-medium">Its wallet</p>
      <div className="rounded-lg border border-line px-3 py-2">
        <WalletName wallet={wallet} />
      </div>
      <OwnerWarning wallet={wallet} />
    </div>
  )
}
