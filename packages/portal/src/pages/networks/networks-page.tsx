import { networkNames } from '@symbolon/networks/names'
import { useQuery } from '@tanstack/react-query'
import { Check, Minus } from 'lucide-react'
import { useOrganization } from '../../data/organization.tsx'
import { chainsQuery } from '../../data/queries.ts'
import type { Chain } from '../../policy/units.ts'
import { Badge } from '../../ui/badge.tsx'
import { Mono } from '../../ui/code.tsx'
import { List } from '../../ui/list.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { Cell } from '../../ui/table.tsx'

const columns = [
  { title: 'Chain' },
  { title: 'Network', isWide: true },
  { title: 'CAIP-2', isWide: true },
  { title: 'Asset', isWide: true },
  { title: 'Node' },
  { title: 'Bundler' },
]
const names = Object.entries(networkNames) as [Chain['network'], string][]

/** The networks that the company's wallets have addresses on, and the chains with their nodes. */
export function NetworksPage() {
  const { id: orgID, supported_networks } = useOrganization()
  const query = useQuery(chainsQuery(orgID))
  const { data } = query
  const isOn = (network: Chain['network']) => supported_networks.includes(network)
  return (
    <Page
      title="Networks"
      lead="A wallet has one address per network of its curve. You can sign for every chain; to send transactions, the platform needs a node."
    >
      <Card title="Enabled networks" text={enabledText(supported_networks.length)}>
        <ul className="grid grid-cols-2 gap-2 sm:grid-cols-4">
          {names.map(([network, name]) => (
            <li
              key={network}
              className={`flex items-center justify-between rounded-lg border px-3 py-2 text-sm ${isOn(network) ? 'border-line' : 'border-dashed border-line text-muted'}`}
            >
              {name}
              {isOn(network) ? <Badge look="good">On</Badge> : <Badge>Off</Badge>}
            </li>
          ))}
        </ul>
      </Card>
      <List label="Chains" columns={columns} query={query} rows={10}>
        {(chain) => isOn(chain.network) && <ChainRow key={chain.handle} chain={chain} />}
      </List>
      {data !== undefined && !data.some(({ rpc }) => rpc) && (
        <Notice title="No chain has a node">
          The operator of this platform connects nodes and bundlers with variables such as{' '}
          <code className="font-mono text-xs">SYMBOLON_RPC__BASE</code> and{' '}
          <code className="font-mono text-xs">SYMBOLON_BUNDLER__BASE</code>, one per chain.
        </Notice>
      )}
    </Page>
  )
}

function ChainRow({ chain }: { chain: Chain }) {
  return (
    <tr>
      <Cell>
        <Mono text={chain.handle} what="handle" />
        <span className="block text-xs text-muted md:hidden">{networkNames[chain.network]}</span>
      </Cell>
      <Cell isWide>{networkNames[chain.network]}</Cell>
      <Cell isWide className="font-mono text-xs">
        {chain.caip2}
      </Cell>
      <Cell isWide>{chain.native_asset.symbol}</Cell>
      <Cell>
        <Connected is={chain.rpc} />
      </Cell>
      <Cell>{chain.network === 'evm' && <Connected is={chain.bundler} />}</Cell>
    </tr>
  )
}

/** The portal creates companies with every network; only the API can choose (`supported_networks`), when it creates one. */
function enabledText(enabled: number): string {
  return enabled === names.length
    ? 'Companies created in the portal have every network. You can’t change this.'
    : 'Chosen through the API when the company was created. You can’t change this.'
}

function Connected({ is }: { is: boolean }) {
  return is ? (
    <span className="inline-flex items-center gap-1 text-good">
      <Check className="size-4" aria-hidden="true" /> <span className="text-xs">Connected</span>
    </span>
  ) : (
    <span className="inline-flex items-center gap-1 text-muted">
      <Minus className="size-4" aria-hidden="true" /> <span className="sr-only">Not connected</span>
    </span>
  )
}
