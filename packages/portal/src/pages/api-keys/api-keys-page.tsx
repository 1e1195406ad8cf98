import { useQuery } from '@tanstack/react-query'
import { Ban, Ellipsis, KeyRound, Plus, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { nowMs } from '../../adapters/browser.ts'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { type Answer, portalClient } from '../../data/portal-client.ts'
import { apiKeysQuery } from '../../data/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/button.tsx'
import { ConfirmAction } from '../../ui/confirm-dialog.tsx'
import { RoleButton } from '../../ui/dialog-button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { List } from '../../ui/list.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { Page } from '../../ui/page.tsx'
import { Cell, TimeCell } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { useFlag } from '../../ui/use-flag.ts'
import { CreateKeyDialog } from './create-key-dialog.tsx'
import { RotateDialog } from './rotate-dialog.tsx'

type ApiKey = Answer<'GET /v1/orgs/{orgID}/api-keys'>['items'][number]
type Opened = { what: 'rotate' | 'revoke'; apiKey: ApiKey } | undefined

const columns = [
  { title: 'Name' },
  { title: 'Type', isWide: true },
  { title: 'Created', isWide: true },
  { title: 'Status' },
  { title: 'Actions', isEnd: true, isHidden: true },
]

/** The company's API keys, and how to create, rotate and revoke them. */
export function ApiKeysPage() {
  const mayChange = useMay('developer')
  const query = useQuery(apiKeysQuery(useOrganization().id))
  const [opened, setOpened] = useState<Opened>()
  const close = () => setOpened(undefined)
  const [isCreating, setCreating] = useFlag('create')
  const createButton = (
    <RoleButton needs="developer" look="primary" icon={Plus} onClick={() => setCreating(true)}>
      Create key
    </RoleButton>
  )
  return (
    <Page
      title="API keys"
      lead="Publishable keys identify your app and grant no access on their own. Keep secret keys in your backend."
      actions={query.data !== undefined && query.data.length > 0 && createButton}
    >
      <List
        label="API keys"
        columns={columns}
        query={query}
        rows={3}
        empty={
          <EmptyState icon={KeyRound} title="No API keys yet" action={createButton}>
            Your app uses a publishable key and your backend a secret key. Create one of each to get started.
          </EmptyState>
        }
      >
        {(apiKey) => (
          <KeyRow
            key={apiKey.id}
            apiKey={apiKey}
            mayChange={mayChange}
            onOpen={(what) => setOpened({ what, apiKey })}
          />
        )}
      </List>
      {isCreating && mayChange && <CreateKeyDialog onClose={() => setCreating(false)} />}
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
  const isLive = statusOf(apiKey).isLive
  return (
    <tr className={isLive ? '' : 'text-muted'}>
      <Cell>
        <span className="block font-medium wrap-anywhere">{name}</span>
        <span className="font-mono text-xs text-muted">{hint}</span>
        <span className="mt-1 block text-xs text-muted md:hidden">{typeOf(type, scope)}</span>
      </Cell>
      <Cell isWide>
        {typeOf(type, scope)}
        {ip_allowlist.length > 0 && (
          <span
            className="block max-w-56 truncate font-mono text-xs text-muted"
            title={ip_allowlist.join(', ')}
          >
            {ip_allowlist.join(', ')}
          </span>
        )}
      </Cell>
      <TimeCell isWide at={created_at} />
      <Cell>
        <Status apiKey={apiKey} />
      </Cell>
      <Cell isEnd>
        {isLive && mayChange && (
          <Menu trigger={<IconButton label={`Actions for ${name}`} icon={Ellipsis} className="-my-1" />}>
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
  return (
    <ConfirmAction
      title={`Revoke ${name}?`}
      action="Revoke key"
      run={() =>
        portalClient.call('DELETE /v1/orgs/{orgID}/api-keys/{keyID}', { params: { orgID, keyID: id } })
      }
      changes={['api-keys']}
      done={`${name} revoked.`}
      onClose={onClose}
    >
      {type === 'secret'
        ? 'Calls with this key are refused immediately. To replace it without downtime, rotate it instead.'
        : 'Apps with this key stop working immediately: their users can’t log in or sign.'}
    </ConfirmAction>
  )
}

function Status({ apiKey }: { apiKey: ApiKey }) {
  const { look, text } = statusOf(apiKey)
  return (
    <span className="flex flex-col items-start gap-1">
      <Badge look={look}>{text}</Badge>
      {text === 'Expires' && apiKey.expires_at !== null && (
        <span className="text-xs text-muted">
          <Time at={apiKey.expires_at} />
        </span>
      )}
    </span>
  )
}

function statusOf({ revoked_at, expires_at }: ApiKey) {
  if (revoked_at !== null) return { isLive: false, look: 'plain', text: 'Revoked' } as const
  if (expires_at === null) return { isLive: true, look: 'good', text: 'Active' } as const
  return new Date(expires_at).getTime() <= nowMs()
    ? ({ isLive: false, look: 'plain', text: 'Expired' } as const)
    : ({ isLive: true, look: 'warn', text: 'Expires' } as const)
}

function typeOf(type: ApiKey['type'], scope: ApiKey['scope']): string {
  if (type === 'publishable') return 'Publishable'
  return scope === 'read' ? 'Secret, read only' : 'Secret, full access'
}
