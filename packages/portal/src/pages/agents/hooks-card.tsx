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
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Card } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import { CreateHookDialog } from './create-hook-dialog.tsx'
import { HookSecretDialog } from './hook-secret-dialog.tsx'

type Opened = { what: 'rotate' | 'remove'; hook: AgentHook } | { what: 'create' } | undefined

/** What each style's deliveries carry. */
export const hookStyles = {
  standard: 'Standard Webhooks',
  stripe: 'Stripe',
  github: 'GitHub',
} as const

/** The inbound hooks of an agent: other systems start its runs by signed deliveries. */
export function HooksCard({ agent }: { agent: Agent }) {
  const { id: orgID } = useOrganization()
  const mayChange = useMay('developer') && agent.status === 'active'
  const { data, error, refetch } = useQuery(hooksQuery(orgID, agent.id))
  const [opened, setOpened] = useState<Opened>()
  const [shown, setShown] = useState<AgentHookWithSecret>()
  const close = () => setOpened(undefined)
  return (
    <Card
      title="Inbound hooks"
      text="Another system’s signed delivery starts a run. What to do is in the hook; the delivery is data beside it."
      aside={
        <Button
          disabled={!mayChange}
          icon={<Plus className="size-4" aria-hidden="true" />}
          onClick={() => setOpened({ what: 'create' })}
        >
          Create a hook
        </Button>
      }
    >
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {data?.length === 0 && (
        <p className="text-sm text-pretty text-muted">
          None yet. Create one and give its address and secret to the system that should trigger the agent.
        </p>
      )}
      <ul className="-my-1 divide-y divide-line">
        {data?.map((hook) => (
          <li key={hook.id} className="flex items-start gap-2 py-3 text-sm">
            <div className="flex min-w-0 flex-1 flex-col gap-0.5">
              <span className="font-medium wrap-anywhere">
                {hook.name} <span className="text-xs font-normal text-muted">{hookStyles[hook.style]}</span>
              </span>
              <Mono text={hook.url} what={`address of ${hook.name}`} />
              <span className="text-xs wrap-anywhere text-muted">“{hook.objective_template}”</span>
              <span className="text-xs text-muted">
                secret …{hook.secret_hint}, last delivery{' '}
                {hook.last_delivery_at === null ? 'never' : <Time at={hook.last_delivery_at} />}
              </span>
            </div>
            {mayChange && (
              <Menu
                trigger={
                  <IconButton label={`Actions for ${hook.name}`}>
                    <Ellipsis />
                  </IconButton>
                }
              >
                <MenuItem icon={<RotateCw />} onSelect={() => setOpened({ what: 'rotate', hook })}>
                  Rotate the secret…
                </MenuItem>
                <MenuItem icon={<Trash2 />} isDanger onSelect={() => setOpened({ what: 'remove', hook })}>
                  Remove…
                </MenuItem>
              </Menu>
            )}
          </li>
        ))}
      </ul>
      {opened?.what === 'create' && (
        <CreateHookDialog
          agentId={agent.id}
          onCreated={(hook) => {
            close()
            setShown(hook)
          }}
          onClose={close}
        />
      )}
      {opened?.what === 'rotate' && (
        <RotateDialog
          hook={opened.hook}
          onRotated={(hook) => {
            close()
            setShown(hook)
          }}
          onClose={close}
        />
      )}
      {opened?.what === 'remove' && <RemoveDialog hook={opened.hook} onClose={close} />}
      {shown !== undefined && <HookSecretDialog hook={shown} onClose={() => setShown(undefined)} />}
    </Card>
  )
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
    run: (_: undefined) =>
      portalClient.call('POST /v1/orgs/{orgID}/agents/{agentID}/hooks/{hookID}/rotate-secret', {
        params: { orgID, agentID, hookID },
      }),
    changes: [['org', orgID, 'agent', agentID, 'hooks']],
    onDone: onRotated,
  })
  return (
    <ConfirmDialog
      title={`Rotate the secret of ${name}?`}
      action="Rotate the secret"
      isBusy={rotate.isPending}
      error={rotate.error}
      onConfirm={() => rotate.mutate(undefined)}
      onClose={onClose}
    >
      A new secret is shown once. The one before stays good for 24 hours, so that you can replace it without a
      gap.
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
  const remove = useAction({
    run: (_: undefined) =>
      portalClient.call('DELETE /v1/orgs/{orgID}/agents/{agentID}/hooks/{hookID}', {
        params: { orgID, agentID, hookID },
      }),
    changes: [['org', orgID, 'agent', agentID, 'hooks']],
    done: `${name} is removed.`,
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={`Remove ${name}?`}
      action="Remove"
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(undefined)}
      onClose={onClose}
    >
      Its deliveries start nothing any more from this moment on. Runs that it started go on.
    </ConfirmDialog>
  )
}
