import { type FormEvent, useState } from 'react'
import { issueOf } from '../../data/explain-error.ts'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { portalClient } from '../../data/portal-client.ts'
import { useAction } from '../../data/use-action.ts'
import { Button } from '../../ui/button.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Card } from '../../ui/page.tsx'

const plainColour = '#1d1a17'
const colourForm = /^#[0-9a-f]{6}$/i

/** Name, colour, logo and support address, as the wallet frame and mails show them. */
export function BrandingCard() {
  const { id: orgID, name, brand_color, logo_url, support_email } = useOrganization()
  const mayChange = useMay('admin')
  const present = {
    name,
    brand_color: brand_color ?? '',
    logo_url: logo_url ?? '',
    support_email: support_email ?? '',
  }
  const [form, setForm] = useState(present)
  const set = (changed: Partial<typeof form>) => setForm((before) => ({ ...before, ...changed }))
  const isChanged = JSON.stringify(form) !== JSON.stringify(present)
  const orNull = (text: string) => (text === '' ? null : text)
  const save = useAction({
    run: (_: undefined) =>
      portalClient.call('PATCH /v1/orgs/{orgID}', {
        params: { orgID },
        body: {
          name: form.name,
          brand_color: orNull(form.brand_color),
          logo_url: orNull(form.logo_url),
          support_email: orNull(form.support_email),
        },
      }),
    changes: [['orgs']],
    done: 'Branding is saved.',
    onDone: (saved) =>
      setForm({
        name: saved.name,
        brand_color: saved.brand_color ?? '',
        logo_url: saved.logo_url ?? '',
        support_email: saved.support_email ?? '',
      }),
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    save.mutate(undefined)
  }

  return (
    <form onSubmit={submit}>
      <Card
        title="Branding"
        text="The wallet frame and the mails to your users carry it."
        footer={
          <>
            <span />
            <Button type="submit" look="primary" disabled={!isChanged || !mayChange} isBusy={save.isPending}>
              Save branding
            </Button>
          </>
        }
      >
        <fieldset disabled={!mayChange} className="flex flex-col gap-4">
          <legend className="sr-only">Branding</legend>
          <div className="grid gap-4 sm:grid-cols-2">
            <Field label="Name" error={issueOf(save.error, 'name')}>
              {(props) => (
                <TextInput
                  {...props}
                  required
                  maxLength={100}
                  value={form.name}
                  onChange={(event) => set({ name: event.target.value })}
                />
              )}
            </Field>
            <Field
              label="Support address"
              hint="Where your users can ask for help."
              error={issueOf(save.error, 'support_email')}
            >
              {(props) => (
                <TextInput
                  {...props}
                  type="email"
                  value={form.support_email}
                  onChange={(event) => set({ support_email: event.target.value.trim() })}
                  placeholder="help@northwind.example"
                />
              )}
            </Field>
            <Field
              label="Brand colour"
              hint="For buttons of the wallet frame. Empty: the neutral one."
              error={issueOf(save.error, 'brand_color')}
            >
              {(props) => (
                <div className="flex gap-2">
                  <input
                    type="color"
                    aria-label="Pick the brand colour"
                    value={colourForm.test(form.brand_color) ? form.brand_color : plainColour}
                    onChange={(event) => set({ brand_color: event.target.value })}
                    className="h-9 w-12 shrink-0 rounded-lg border border-strong bg-surface p-1 max-sm:h-11"
                  />
                  <TextInput
                    {...props}
                    pattern="#[0-9a-fA-F]{6}"
                    title="a colour such as #1a2b3c"
                    value={form.brand_color}
                    onChange={(event) => set({ brand_color: event.target.value.trim() })}
                    placeholder="#b45f2b"
                    className="font-mono"
                  />
                </div>
              )}
            </Field>
            <Field
              label="Logo"
              hint="https, square, at least 128 px."
              error={issueOf(save.error, 'logo_url')}
            >
              {(props) => (
                <TextInput
                  {...props}
                  type="url"
                  pattern="https://.*"
                  title="an address that begins with https://"
                  value={form.logo_url}
                  onChange={(event) => set({ logo_url: event.target.value.trim() })}
                  placeholder="https://northwind.example/logo.png"
                />
              )}
            </Field>
          </div>
          <ErrorNotice error={save.error} />
        </fieldset>
      </Card>
    </form>
  )
}
