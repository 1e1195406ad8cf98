import type { Agent, AgentHook, AgentHookWithSecret } from '@symbolon/sdk/portal'
import { useQuery } from '@tanstack/react-query'
import { Ellipsis, Plus, RotateCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { hooksQuery } from '../../data/agent-queries.ts'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { portalClient } from '../../data/portal-client.ts'
import { useAction } from '../../data/use-action.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Mono } from '../../ui/code.tsx'
import { ConfirmAction, ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { Card } from '../../ui/page.tsx'
import { SecretDialog } from '../../ui/secret-dialog.tsx'
import { Time } from '../../ui/time.tsx'
import { CreateHookDialog } from './create-hook-dialog.tsx'

type Opened =
  | { what: 'create' }
  | { what: 'rotate' | 'remove'; hook: AgentHook }
  | { what: 'secret'; hook: AgentHookWithSecret }

const styles = { standard: 'Standard Webhooks', stripe: 'Stripe', github: 'GitHub' }

/** The inbound hooks of an agent: signed deliveries of other systems start its runs. */
export function HooksCard({ agent }: { agent: Agent }) {
  const mayChange = useMay('developer') && agent.status === 'active'
  const query = useQuery(hooksQuery(useOrganization().id, agent.id))
  const [opened, setOpened] = useState<Opened>()
  return (
    <Card
      title="Inbound hooks"
      text="A signed delivery from another system starts a run. The hook says what to do; the delivery is only data."
      aside={
        <Button disabled={!mayChange} icon={Plus} onClick={() => setOpened({ what: 'create' })}>
          Create hook
        </Button>
      }
    >
      <Loaded query={query} className="h-16 rounded">
        {(hooks) => (
          <>
            {hooks.length === 0 && (
              <p className="text-sm text-pretty text-muted">
                No hooks yet. Create one and give its URL and secret to the system that should trigger the
                agent.
              </p>
            )}
            <ul className="-my-1 divide-y divide-line">
              {hooks.map((hook) => (
                <HookRow
                  key={hook.id}
                  hook={hook}
                  onOpen={mayChange ? (what) => setOpened({ what, hook }) : undefined}
                />
              ))}
            </ul>
          </>
        )}
      </Loaded>
      {opened && <HookDialog agentId={agent.id} opened={opened} onOpen={setOpened} />}
    </Card>
  )
}

function HookRow({
  hook: { name, style, url, objective_template, secret_hint, last_delivery_at },
  onOpen,
}: {
  hook: AgentHook
  onOpen: ((what: 'rotate' | 'remove') => void) | undefined
}) {
  return (
    <li className="flex items-start gap-2 py-3 text-sm">
      <div className="flex min-w-0 flex-1 flex-col gap-0.5">
        <span className="font-medium wrap-anywhere">
          {name} <span className="text-xs font-normal text-muted">{styles[style]}</span>
        </span>
        <Mono text={url} what={`URL of ${name}`} />
        <span className="text-xs wrap-anywhere text-muted">“{objective_template}”</span>
        <span className="text-xs text-muted">
          Secret …{secret_hint} · Last delivery:{' '}
          {last_delivery_at === null ? 'never' : <Time at={last_delivery_at} />}
        </span>
      </div>
      {onOpen !== undefined && (
        <Menu trigger={<IconButton label={`Actions for ${name}`} icon={Ellipsis} />}>
          <MenuItem icon={<RotateCw />} onSelect={() => onOpen('rotate')}>
            Rotate secret…
          </MenuItem>
          <MenuItem icon={<Trash2 />} isDanger onSelect={() => onOpen('remove')}>
            Remove…
          </MenuItem>
        </Menu>
      )}
    </li>
  )
}

function HookDialog({
  agentId,
  opened,
  onOpen,
}: {
  agentId: string
  opened: Opened
  onOpen: (opened: Opened | undefined) => void
}) {
  const close = () => onOpen(undefined)
  const show = (hook: AgentHookWithSecret) => onOpen({ what: 'secret', hook })
  switch (opened.what) {
    case 'create':
      return <CreateHookDialog agentId={agentId} onCreated={show} onClose={close} />
    case 'rotate':
      return <RotateDialog hook={opened.hook} onRotated={show} onClose={close} />
    case 'remove':
      return <RemoveDialog hook={opened.hook} onClose={close} />
    case 'secret':
      return (
        <SecretDialog
          title={`Secret of ${opened.hook.name}`}
          text="The sender signs its deliveries with this secret."
          label="Hook secret"
          secret={opened.hook.secret}
          onClose={close}
        >
          <div className="flex min-w-0 flex-col gap-1 text-sm">
            <span className="text-muted">URL for deliveries</span>
            <Mono text={opened.hook.url} what="URL of the hook" />
          </div>
        </SecretDialog>
      )
  }
}

function RotateDialog({
  hook: { id: hookID, agent_id: agentID, name },
  onRotated,
  onClose,
}: {
  hook: AgentHook
  onRotated: (hook: AgentHookWithSecret) => void
  onClose: () => void
}) {
  const { id: orgID } = useOrganization()
  const rotate = useAction({
    run: () =>
      portalClient.call('POST /v1/orgs/{orgID}/agents/{agentID}/hooks/{hookID}/rotate-secret', {
        params: { orgID, agentID, hookID },
      }),
    changes: ['agent'],
    onDone: onRotated,
  })
  return (
    <ConfirmDialog
      title={`Rotate the secret of ${name}?`}
      action="Rotate secret"
      change={rotate}
      onClose={onClose}
    >
      You get a new secret, which is shown once. The old one stays valid for 24 hours, so you can replace it
      without downtime.
    </ConfirmDialog>
  )
}

function RemoveDialog({
  hook: { id: hookID, agent_id: agentID, name },
  onClose,
}: {
  hook: AgentHook
  onClose: () => void
}) {
  const { id: orgID } = useOrganization()
  return (
    <ConfirmAction
      title={`Remove ${name}?`}
      action="Remove"
      run={() =>
        portalClient.call('DELETE /v1/orgs/{orgID}/agents/{agentID}/hooks/{hookID}', {
          params: { orgID, agentID, hookID },
        })
      }
      changes={['agent']}
      done={`${name} removed.`}
      onClose={onClose}
    >
      Deliveries to it no longer start runs. Runs that it already started continue.
    </ConfirmAction>
  )
}
