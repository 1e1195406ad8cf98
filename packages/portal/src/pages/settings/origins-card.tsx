import { Plus, X } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { portalClient } from '../../data/portal-client.ts'
import { useAction } from '../../data/use-action.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Card } from '../../ui/page.tsx'

/** The pages that may use the company's publishable keys; every change takes effect at once. */
export function OriginsCard() {
  const { id: orgID, allowed_origins: origins } = useOrganization()
  const mayChange = useMay('admin')
  const [text, setText] = useState('')
  const [wrong, setWrong] = useState<string>()
  const save = useAction({
    run: (allowed_origins: readonly string[]) =>
      portalClient.call('PATCH /v1/orgs/{orgID}', {
        params: { orgID },
        body: { allowed_origins: [...allowed_origins] },
      }),
    changes: [['orgs']],
    done: 'The origins are saved.',
    onDone: () => setText(''),
  })

  function add(event: FormEvent) {
    event.preventDefault()
    const origin = originOf(text)
    if (origin === undefined) setWrong('this is not an address such as https://app.northwind.example')
    else if (origins.includes(origin)) setWrong(`${origin} is in the list already`)
    else {
      setWrong(undefined)
      save.mutate([...origins, origin])
    }
  }

  return (
    <Card
      title="Allowed origins"
      text="Pages at these origins may log users in and show their wallet. Elsewhere browsers are refused."
    >
      <div className="flex flex-col gap-3">
        {origins.length === 0 ? (
          <p className="text-sm text-muted">
            None yet: only the platform’s own pages (and, in development, loopback).
          </p>
        ) : (
          <ul className="divide-y divide-line rounded-lg border border-line">
            {origins.map((origin) => (
              <li key={origin} className="flex items-center justify-between gap-2 py-1 pr-1 pl-3">
                <span className="truncate font-mono text-xs">{origin}</span>
                <IconButton
                  label={`Remove ${origin}`}
                  disabled={!mayChange || save.isPending}
                  onClick={() => save.mutate(origins.filter((one) => one !== origin))}
                >
                  <X />
                </IconButton>
              </li>
            ))}
          </ul>
        )}
        {mayChange && (
          <form onSubmit={add} noValidate className="flex items-start gap-2">
            <Field
              label="Add an origin"
              className="flex-1"
              hint="Scheme, host and port, exactly; no wildcards."
              error={wrong}
            >
              {(props) => (
                <TextInput
                  {...props}
                  required
                  value={text}
                  onChange={(event) => setText(event.target.value)}
                  placeholder="https://app.northwind.example"
                  className="font-mono"
                />
              )}
            </Field>
            <Button
              type="submit"
              className="mt-[1.625rem]"
              isBusy={save.isPending}
              icon={<Plus className="size-4" aria-hidden="true" />}
            >
              Add
            </Button>
          </form>
        )}
        <ErrorNotice error={save.error} />
      </div>
    </Card>
  )
}

/** What of an address is its origin; undefined for what has none. */
function originOf(text: string): string | undefined {
  const url = URL.parse(text.trim())
  return url !== null && /^https?:$/.test(url.protocol) ? url.origin : undefined
}
