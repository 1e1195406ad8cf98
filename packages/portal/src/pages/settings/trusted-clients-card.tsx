import { useState } from 'react'
import { issueOf } from '../../data/explain-error.ts'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { portalClient } from '../../data/portal-client.ts'
import { type Action, useAction } from '../../data/use-action.ts'
import { AddEntryForm } from '../../ui/add-entry-form.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Card } from '../../ui/page.tsx'
import { RemovableList } from '../../ui/removable-list.tsx'

/** The client addresses that the limits of login codes leave alone. */
export function TrustedClientsCard() {
  const { id: orgID, trusted_clients: clients } = useOrganization()
  const isOwner = useMay('owner')
  const save = useAction({
    run: (trusted_clients: string[]) =>
      portalClient.call('PATCH /v1/orgs/{orgID}', { params: { orgID }, body: { trusted_clients } }),
    changes: ['orgs'],
    done: 'Trusted clients saved.',
  })
  return (
    <Card
      title="Trusted clients"
      text="We limit how many login codes one client address can ask for. List the addresses that are exempt: those that many of your users share, such as an office’s, or that of a backend that logs users in."
      footer={
        <p className="text-xs text-muted">
          We email all owners when this changes. Only owners can change it.
        </p>
      }
    >
      <div className="flex flex-col gap-3">
        {clients.length === 0 ? (
          <p className="text-sm text-muted">No trusted clients yet. The limits apply to every address.</p>
        ) : (
          <RemovableList
            entries={clients}
            isDisabled={!isOwner || save.isPending}
            onRemove={(client) => save.mutate(clients.filter((one) => one !== client))}
          />
        )}
        {isOwner && <AddClient clients={clients} save={save} />}
        {issueOf(save.error, 'trusted_clients') === undefined && <ErrorNotice error={save.error} />}
      </div>
    </Card>
  )
}

function AddClient({ clients, save }: { clients: readonly string[]; save: Action<string[]> }) {
  const [isThere, setThere] = useState(false)
  const refused = issueOf(save.error, 'trusted_clients')

  function add(text: string, clear: () => void) {
    const client = text.toLowerCase()
    const isListed = [client, `${client}/32`, `${client}/128`].some((one) => clients.includes(one))
    setThere(isListed)
    if (!isListed) save.mutate([...clients, client], { onSuccess: clear })
  }

  return (
    <AddEntryForm
      label="Add an address or a range"
      hint="IPv4 or IPv6. The widest range is /16, or /32 for IPv6."
      placeholder="203.0.113.0/24"
      button="Add client"
      error={isThere ? 'This address is already listed.' : refused}
      isBusy={save.isPending}
      onAdd={add}
    />
  )
}
