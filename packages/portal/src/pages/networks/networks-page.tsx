import { networkNames } from '@symbolon/networks/names'
import { useQuery } from '@tanstack/react-query'
import { Check, Minus } from 'lucide-react'
import { useOrganization } from '../../data/organization.tsx'
import type { Answer } from '../../data/portal-client.ts'
import { chainsQuery } from '../../data/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Mono } from '../../ui/code.tsx'
import { ErrorNotice, Notice } from '../../ui/notice.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { Cell, LoadingRows, Table } from '../../ui/table.tsx'

type Chain = Answer<'GET /v1/orgs/{orgID}/chains'>['items'][number]

const columns = [
  { title: 'Chain' },
  { title: 'Network', isWide: true },
  { title: 'CAIP-2', isWide: true },
  { title: 'Asset', isWide: true },
  { title: 'Node' },
  { title: 'Bundler' },
]
const names = Object.entries(networkNames) as [Chain['network'], string][]

/** Which networks the company's wallets have addresses on, and which chains this installation reaches. */
export function NetworksPage() {
  const { id: orgID, supported_networks } = useOrganization()
  const { data, error, refetch } = useQuery(chainsQuery(orgID))
  const isOn = (network: Chain['network']) => supported_networks.includes(network)
  const own = data?.filter(({ network }) => isOn(network))
  return (
    <Page
      title="Networks"
      lead="A wallet has one address per network of its curve. Signing works on every chain; sending through the platform needs a node."
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
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {error === null && (
        <Table label="Chains" columns={columns}>
          {data === undefined && <LoadingRows columns={columns} rows={10} />}
          {own?.map((chain) => (
            <tr key={chain.handle}>
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
                <Wired is={chain.rpc} />
              </Cell>
              <Cell>{chain.network === 'evm' && <Wired is={chain.bundler} />}</Cell>
            </tr>
          ))}
        </Table>
      )}
      {data !== undefined && !data.some(({ rpc }) => rpc) && (
        <Notice title="No chain has a node here.">
          Whoever runs this platform wires them with{' '}
          <code className="font-mono text-xs">SYMBOLON_RPC__BASE</code> and{' '}
          <code className="font-mono text-xs">SYMBOLON_BUNDLER__BASE</code>, one per chain.
        </Notice>
      )}
    </Page>
  )
}

/** The portal makes companies with every network; a choice (`supported_networks`) is the API's, once. */
function enabledText(enabled: number): string {
  return enabled === names.length
    ? 'Every network, as in each company that is made here. It stays so.'
    : 'As they were listed when the company was made by the API. It stays so.'
}

function Wired({ is }: { is: boolean }) {
  return is ? (
    <span className="inline-flex items-center gap-1 text-good">
      <Check className="size-4" aria-hidden="true" /> <span className="text-xs">Wired</span>
    </span>
  ) : (
    <span className="inline-flex items-center gap-1 text-muted">
      <Minus className="size-4" aria-hidden="true" /> <span className="sr-only">Not wired</span>
    </span>
  )
}
