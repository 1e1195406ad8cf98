import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { nowMs } from '../../adapters/browser.ts'
import { agentsQuery } from '../../data/agent-queries.ts'
import { useOrganization } from '../../data/organization.tsx'
import { walletsQuery } from '../../data/queries.ts'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { mintByCurl, mintBySdk, tryByCurl } from './mint-snippets.ts'

const weekMs = 7 * 86_400_000
const tools = [
  ['curl', 'curl'],
  ['node', 'Node.js'],
] as const

/** How a session is minted: by the backend, with its secret key. The portal itself mints no tokens. */
export function MintDialog({ agentId, onClose }: { agentId: string | undefined; onClose: () => void }) {
  const { id: orgID, slug } = useOrganization()
  const { data: agents } = useQuery(agentsQuery(orgID, { status: 'active', limit: 100 }))
  const { data: wallets } = useQuery(walletsQuery(orgID, { status: 'active', limit: 1 }))
  const [tool, setTool] = useState<'curl' | 'node'>('curl')
  const [chosen, setChosen] = useState(agentId ?? '')
  const [expiresAt] = useState(() => new Date(nowMs() + weekMs).toISOString())
  const agent = agents?.items.find(({ id }) => id === chosen)
  const walletId = agent?.wallet_id ?? wallets?.items[0]?.id
  const parts = { baseUrl: location.origin, walletId: walletId ?? '…', agentId: agent?.id, expiresAt }
  return (
    <Dialog
      form="side"
      title="Mint a session"
      text="Your backend mints it with a secret key, so that the token never passes through a browser."
      onClose={onClose}
      footer={<Button onClick={onClose}>Done</Button>}
    >
      {wallets?.total === 0 && (
        <Notice look="warn" title="There is no wallet yet.">
          A session signs with one wallet, of the enclave.{' '}
          <Link to="/o/$slug/quick-start" params={{ slug }} className="text-accent underline">
            Make one
          </Link>{' '}
          first.
        </Notice>
      )}
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
      <Segmented label="Tool" options={tools} value={tool} onChange={setTool} />
      {tool === 'curl' ? (
        <CodeBlock language="Shell" what="mint" code={mintByCurl(parts)} />
      ) : (
        <CodeBlock language="mint.mjs" what="program" code={mintBySdk(parts)} />
      )}
      <p className="text-sm text-pretty text-muted">
        Amounts are in the smallest unit: 10000000000000000 is 0.01 ETH. The answer has the token, this once,
        and names in <code className="font-mono text-xs">clipped</code> what your rules or the agent made
        stricter. Secret keys come from{' '}
        <Link to="/o/$slug/api-keys" params={{ slug }} className="text-accent underline">
          API keys
        </Link>
        .
      </p>
      <CodeBlock language="Shell, with the token" what="first call" code={tryByCurl(location.origin)} />
    </Dialog>
  )
}
