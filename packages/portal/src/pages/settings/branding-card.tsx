import type { FormEvent } from 'react'
import { type Organization, useMay, useOrganization } from '../../data/organization.tsx'
import { portalClient } from '../../data/portal-client.ts'
import { useAction } from '../../data/use-action.ts'
import { type Form, useForm } from '../../data/use-form.ts'
import { Button } from '../../ui/button.tsx'
import { Field, TextField, TextInput } from '../../ui/field.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Card } from '../../ui/page.tsx'

const neutralColour = '#1d1a17'
const colourForm = /^#[0-9a-f]{6}$/i

/** Name, colour, logo and support address, which the wallet frame and emails show. */
export function BrandingCard() {
  const organization = useOrganization()
  const mayChange = useMay('admin')
  const form = useForm(() => brandingOf(organization))
  const { name, brand_color, logo_url, support_email } = form.values
  const isChanged = JSON.stringify(form.values) !== JSON.stringify(brandingOf(organization))
  const save = useAction({
    run: () =>
      portalClient.call('PATCH /v1/orgs/{orgID}', {
        params: { orgID: organization.id },
        body: {
          name,
          brand_color: brand_color || null,
          logo_url: logo_url || null,
          support_email: support_email || null,
        },
      }),
    changes: ['orgs'],
    done: 'Branding saved.',
    onDone: (saved) => form.set(brandingOf(saved)),
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    save.mutate()
  }

  return (
    <form onSubmit={submit}>
      <Card
        title="Branding"
        text="Your users see it in the wallet frame and in emails."
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
          <BrandingFields form={form} error={save.error} />
          <ErrorNotice error={save.error} />
        </fieldset>
      </Card>
    </form>
  )
}

type Branding = { name: string; brand_color: string; logo_url: string; support_email: string }

const brandingOf = ({ name, brand_color, logo_url, support_email }: Organization): Branding => ({
  name,
  brand_color: brand_color ?? '',
  logo_url: logo_url ?? '',
  support_email: support_email ?? '',
})

function BrandingFields({ form: { field }, error }: { form: Form<Branding>; error: unknown }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField {...field('name', error)} label="Name" required maxLength={100} />
      <TextField
        {...field('support_email', error)}
        label="Support address"
        hint="Where your users can get help."
        type="email"
        placeholder="help@northwind.example"
      />
      <ColourField {...field('brand_color', error)} />
      <TextField
        {...field('logo_url', error)}
        label="Logo URL"
        hint="An https address of a square image, at least 128 px wide."
        type="url"
        pattern="https://.*"
        title="A URL that starts with https://"
        placeholder="https://northwind.example/logo.png"
      />
    </div>
  )
}

function ColourField({
  value,
  error,
  onText,
}: {
  value: string
  error: string | undefined
  onText: (text: string) => void
}) {
  return (
    <Field
      label="Brand color"
      hint="Colors the buttons of the wallet frame. Leave empty for a neutral one."
      error={error}
    >
      {(props) => (
        <div className="flex gap-2">
          <input
            type="color"
            aria-label="Pick the brand colour"
            value={colourForm.test(value) ? value : neutralColour}
            onChange={(event) => onText(event.target.value)}
            className="h-9 w-12 shrink-0 rounded-lg border border-strong bg-surface p-1 max-sm:h-11"
          />
          <TextInput
            {...props}
            pattern="#[0-9a-fA-F]{6}"
            title="A colour such as #1a2b3c"
            value={value}
            onText={onText}
            placeholder="#b45f2b"
            className="font-mono"
          />
        </div>
      )}
    </Field>
  )
}
