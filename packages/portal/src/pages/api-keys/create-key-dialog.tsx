import { useState } from 'react'
import { nowMs } from '../../adapters/browser.ts'
import { issueOf } from '../../data/explain-error.ts'
import { useOrganization } from '../../data/organization.tsx'
import { type Answer, type Body, portalClient } from '../../data/portal-client.ts'
import { useAction } from '../../data/use-action.ts'
import { type Form, useForm } from '../../data/use-form.ts'
import { ChoiceCards } from '../../ui/choice-cards.tsx'
import { SelectField, TextAreaField, TextField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { KeyOnceDialog } from './key-once-dialog.tsx'

type Key = Body<'POST /v1/orgs/{orgID}/api-keys'>
type Written = {
  name: string
  type: Key['type']
  scope: NonNullable<Key['scope']>
  ranges: string
  days: string
}

const lifetimes = [
  ['', 'Never'],
  ['7', 'In 7 days'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In a year'],
] as const

/** Creates an API key and shows it once. */
export function CreateKeyDialog({ onClose }: { onClose: () => void }) {
  const { id: orgID } = useOrganization()
  const form = useForm<Written>({ name: '', type: 'secret', scope: 'full', ranges: '', days: '' })
  const [created, setCreated] = useState<Answer<'POST /v1/orgs/{orgID}/api-keys'>>()
  const create = useAction({
    run: () =>
      portalClient.call('POST /v1/orgs/{orgID}/api-keys', { params: { orgID }, body: keyOf(form.values) }),
    changes: ['api-keys'],
    onDone: setCreated,
  })
  if (created !== undefined) return <KeyOnceDialog created={created} onClose={onClose} />
  return (
    <FormDialog title="Create an API key" action="Create key" change={create} onClose={onClose}>
      <ChoiceCards
        legend="What is it for?"
        value={form.values.type}
        onChange={(type) => form.set({ type })}
        choices={[
          {
            value: 'secret',
            title: 'Backend',
            text: 'A secret key (sk_live_…). Keep it out of apps and repositories.',
          },
          {
            value: 'publishable',
            title: 'App',
            text: 'A publishable key (pk_live_…). Anyone may see it.',
          },
        ]}
      />
      <KeyFields form={form} error={create.error} />
    </FormDialog>
  )
}

function keyOf({ name, type, scope, ranges, days }: Written): Key {
  const ip_allowlist = ranges.split(/[\s,]+/).filter((range) => range !== '')
  return {
    name,
    type,
    ...(type === 'secret' && { scope, ip_allowlist }),
    ...(days !== '' && { expires_at: new Date(nowMs() + Number(days) * 86_400_000).toISOString() }),
  }
}

function KeyFields({ form: { values, set, field }, error }: { form: Form<Written>; error: unknown }) {
  const isSecret = values.type === 'secret'
  return (
    <>
      <TextField
        {...field('name', error)}
        label="Name"
        hint="Where you use it, so you know what breaks if you revoke it."
        required
        maxLength={100}
        placeholder={isSecret ? 'Production backend' : 'Web app'}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        {isSecret && (
          <SelectField
            label="Scope"
            hint="Read-only keys can’t sign or archive."
            value={values.scope}
            onText={(text) => set({ scope: text === 'read' ? 'read' : 'full' })}
            options={[
              ['full', 'Full access'],
              ['read', 'Read only'],
            ]}
          />
        )}
        <SelectField
          {...field('days', error, 'expires_at')}
          label="Expires"
          hint="Calls with an expired key are refused."
          options={lifetimes}
        />
      </div>
      {isSecret && (
        <TextAreaField
          {...field('ranges', undefined)}
          label="Allowed IP addresses (optional)"
          hint="IPv4 or IPv6 addresses or ranges (203.0.113.0/24), separated by spaces. Leave empty to allow all."
          error={
            issueOf(error, 'ip_allowlist') && 'Enter only IP addresses and ranges such as 203.0.113.0/24.'
          }
          rows={2}
          className="font-mono"
        />
      )}
    </>
  )
}
