import { useState } from 'react'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { portalClient } from '../../data/portal-client.ts'
import { type Action, useAction } from '../../data/use-action.ts'
import { AddEntryForm } from '../../ui/add-entry-form.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Card } from '../../ui/page.tsx'
import { RemovableList } from '../../ui/removable-list.tsx'

/** The origins whose pages may use the company's publishable keys. Changes take effect immediately. */
export function OriginsCard() {
  const { id: orgID, allowed_origins: origins } = useOrganization()
  const mayChange = useMay('admin')
  const save = useAction({
    run: (allowed_origins: string[]) =>
      portalClient.call('PATCH /v1/orgs/{orgID}', { params: { orgID }, body: { allowed_origins } }),
    changes: ['orgs'],
    done: 'Origins saved.',
  })
  return (
    <Card title="Allowed origins" text="Only pages at these origins can log users in and open their wallets.">
      <div className="flex flex-col gap-3">
        {origins.length === 0 ? (
          <p className="text-sm text-muted">
            No origins yet. Only the platform’s own pages can do this and, in development, pages on your
            machine.
          </p>
        ) : (
          <RemovableList
            entries={origins}
            isDisabled={!mayChange || save.isPending}
            onRemove={(origin) => save.mutate(origins.filter((one) => one !== origin))}
          />
        )}
        {mayChange && <AddOrigin origins={origins} save={save} />}
        <ErrorNotice error={save.error} />
      </div>
    </Card>
  )
}

function AddOrigin({ origins, save }: { origins: readonly string[]; save: Action<string[]> }) {
  const [wrong, setWrong] = useState<string>()

  function add(text: string, clear: () => void) {
    const origin = originOf(text)
    if (origin === undefined) setWrong('Enter an address such as https://app.northwind.example.')
    else if (origins.includes(origin)) setWrong(`${origin} is already allowed.`)
    else {
      setWrong(undefined)
      save.mutate([...origins, origin], { onSuccess: clear })
    }
  }

  return (
    <AddEntryForm
      label="Add an origin"
      hint="Scheme, host and port, without wildcards."
      placeholder="https://app.northwind.example"
      button="Add"
      error={wrong}
      isBusy={save.isPending}
      onAdd={add}
    />
  )
}

/** The origin of an address; undefined if it has none. */
function originOf(text: string): string | undefined {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) ? url.origin : undefined
}
