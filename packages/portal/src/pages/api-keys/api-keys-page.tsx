import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Ban, Ellipsis, KeyRound, Plus, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { nowMs } from '../../adapters/browser.ts'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { type Answer, portalClient } from '../../data/portal-client.ts'
import { apiKeysQuery } from '../../data/queries.ts'
import { useAction } from '../../data/use-action.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Cell, LoadingRows, Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { MintDialog } from './mint-dialog.tsx'
import { RotateDialog } from './rotate-dialog.tsx'

type ApiKey = Answer<'GET /v1/orgs/{orgID}/api-keys'>['items'][number]
type Opened = { what: 'rotate' | 'revoke'; apiKey: ApiKey } | undefined

const route = getRouteApi('/inside/o/$slug/api-keys')
const columns = [
  { title: 'Name' },
  { title: 'Rights', isWide: true },
  { title: 'Created', isWide: true },
  { title: 'State' },
  { title: 'Actions', isEnd: true, isHidden: true },
]

/** The company's API keys: mint, look at, rotate, revoke. */
export function ApiKeysPage() {
  const organization = useOrganization()
  const mayChange = useMay('developer')
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { data, error, refetch } = useQuery(apiKeysQuery(organization.id))
  const [opened, setOpened] = useState<Opened>()
  const close = () => setOpened(undefined)
  const mint = (isOpen: boolean) => void navigate({ search: isOpen ? { mint: true } : {}, replace: true })
  const mintButton = (
    <Button
      look="primary"
      icon={<Plus className="size-4" aria-hidden="true" />}
      disabled={!mayChange}
      title={mayChange ? undefined : 'Developers and above mint keys'}
      onClick={() => mint(true)}
    >
      Mint a key
    </Button>
  )

  return (
    <Page
      title="API keys"
      lead="Publishable keys go into your app and open nothing by themselves. Secret keys belong to your backend alone."
      actions={data !== undefined && data.length > 0 && mintButton}
    >
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {data?.length === 0 ? (
        <EmptyState icon={KeyRound} title="No keys yet" action={mintButton}>
          Your app identifies itself with a publishable key, your backend with a secret key. Mint one of each
          to begin.
        </EmptyState>
      ) : (
        error === null && (
          <Table label="API keys" columns={columns}>
            {data === undefined && <LoadingRows columns={columns} rows={3} />}
            {data?.map((apiKey) => (
              <KeyRow
                key={apiKey.id}
                apiKey={apiKey}
                mayChange={mayChange}
                onOpen={(what) => setOpened({ what, apiKey })}
              />
            ))}
          </Table>
        )
      )}
      {search.mint === true && mayChange && <MintDialog onClose={() => mint(false)} />}
      {opened?.what === 'rotate' && <RotateDialog apiKey={opened.apiKey} onClose={close} />}
      {opened?.what === 'revoke' && <RevokeDialog apiKey={opened.apiKey} onClose={close} />}
    </Page>
  )
}

function KeyRow({
  apiKey,
  mayChange,
  onOpen,
}: {
  apiKey: ApiKey
  mayChange: boolean
  onOpen: (what: 'rotate' | 'revoke') => void
}) {
  const { name, type, scope, hint, ip_allowlist, created_at } = apiKey
  const isLive = stateOf(apiKey).isLive
  return (
    <tr className={isLive ? '' : 'text-muted'}>
      <Cell>
        <span className="block font-medium wrap-anywhere">{name}</span>
        <span className="font-mono text-xs text-muted">{hint}</span>
        <span className="mt-1 block text-xs text-muted md:hidden">{rightsOf(type, scope)}</span>
      </Cell>
      <Cell isWide>
        {rightsOf(type, scope)}
        {ip_allowlist.length > 0 && (
          <span
            className="block max-w-56 truncate font-mono text-xs text-muted"
            title={ip_allowlist.join(', ')}
          >
            {ip_allowlist.join(', ')}
          </span>
        )}
      </Cell>
      <Cell isWide className="text-muted">
        <Time at={created_at} />
      </Cell>
      <Cell>
        <State apiKey={apiKey} />
      </Cell>
      <Cell isEnd>
        {isLive && mayChange && (
          <Menu
            trigger={
              <IconButton label={`Actions for ${name}`} className="-my-1">
                <Ellipsis />
              </IconButton>
            }
          >
            <MenuItem icon={<RotateCw />} onSelect={() => onOpen('rotate')}>
              Rotate…
            </MenuItem>
            <MenuItem icon={<Ban />} isDanger onSelect={() => onOpen('revoke')}>
              Revoke…
            </MenuItem>
          </Menu>
        )}
      </Cell>
    </tr>
  )
}

function RevokeDialog({ apiKey: { id, name, type }, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const { id: orgID } = useOrganization()
  const revoke = useAction({
    run: (_: undefined) =>
      portalClient.call('DELETE /v1/orgs/{orgID}/api-keys/{keyID}', { params: { orgID, keyID: id } }),
    changes: [['org', orgID, 'api-keys']],
    done: `${name} is revoked.`,
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={`Revoke ${name}?`}
      action="Revoke now"
      isBusy={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate(undefined)}
      onClose={onClose}
    >
      {type === 'secret'
        ? 'Every call with it is refused from this moment on, on every process. To replace it without a gap, rotate it instead.'
        : 'Every app that carries it stops working from this moment on: its users can neither log in nor sign.'}
    </ConfirmDialog>
  )
}

function State({ apiKey }: { apiKey: ApiKey }) {
  const { look, text } = stateOf(apiKey)
  return (
    <span className="flex flex-col items-start gap-1">
      <Badge look={look}>{text}</Badge>
      {text === 'Ends' && apiKey.expires_at !== null && (
        <span className="text-xs text-muted">
          <Time at={apiKey.expires_at} />
        </span>
      )}
    </span>
  )
}

function stateOf({ revoked_at, expires_at }: ApiKey) {
  if (revoked_at !== null) return { isLive: false, look: 'plain', text: 'Revoked' } as const
  if (expires_at === null) return { isLive: true, look: 'good', text: 'Live' } as const
  return new Date(expires_at).getTime() <= nowMs()
    ? ({ isLive: false, look: 'plain', text: 'Expired' } as const)
    : ({ isLive: true, look: 'warn', text: 'Ends' } as const)
}

function rightsOf(type: ApiKey['type'], scope: ApiKey['scope']): string {
  if (type === 'publishable') return 'Publishable'
  return scope === 'read' ? 'Secret, reads only' : 'Secret, full'
}
