import { type FormEvent, useState } from 'react'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { type Body, portalClient } from '../../data/portal-client.ts'
import { useAction } from '../../data/use-action.ts'
import { type Form, useForm } from '../../data/use-form.ts'
import { Button } from '../../ui/button.tsx'
import { ChoiceCards } from '../../ui/choice-cards.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { ReadOnlyNote } from '../../ui/read-only-note.tsx'
import { SwitchRow } from '../../ui/switch-row.tsx'

type AuthConfig = Body<'PATCH /v1/orgs/{orgID}/auth'>['auth_config']
type Provider = { issuer: string; audience: string; isEmailTrusted: boolean }

/** How the company's users log in. */
export function AuthenticationPage() {
  const { id: orgID, auth_config: current } = useOrganization()
  const mayChange = useMay('admin')
  const [mode, setMode] = useState(current.mode)
  const provider = useForm<Provider>({
    issuer: current.mode === 'oidc' ? current.issuer : '',
    audience: current.mode === 'oidc' ? current.audience : '',
    isEmailTrusted: current.mode === 'oidc' && current.trust_email === true,
  })
  const [isAsked, setAsked] = useState(false)
  const wanted: AuthConfig = mode === 'service' ? { mode } : { mode, ...configOf(provider.values) }
  const isChanged = JSON.stringify(wanted) !== JSON.stringify(current)
  const save = useAction({
    run: () =>
      portalClient.call('PATCH /v1/orgs/{orgID}/auth', { params: { orgID }, body: { auth_config: wanted } }),
    changes: ['orgs'],
    done: 'Authentication saved.',
    onDone: () => setAsked(false),
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    setAsked(true)
  }

  return (
    <Page title="Authentication" lead="How your users prove who they are before they open their wallet.">
      {!mayChange && <ReadOnlyNote what="how users log in" />}
      <form onSubmit={submit}>
        <Card
          footer={
            <>
              <p className="text-xs text-muted">We email all owners when this changes.</p>
              <Button type="submit" look="primary" disabled={!isChanged || !mayChange}>
                Save
              </Button>
            </>
          }
        >
          <div className="flex flex-col gap-5">
            <ModeChoice value={mode} onChange={setMode} />
            {mode === 'oidc' && <ProviderFields form={provider} error={save.error} />}
          </div>
        </Card>
      </form>
      {isAsked && (
        <ConfirmDialog
          title="Change how users log in?"
          action="Change login"
          change={save}
          onClose={() => setAsked(false)}
        >
          All users are logged out. Wallets stay with the login they were created with: users who log in the
          new way get new ones.
        </ConfirmDialog>
      )}
    </Page>
  )
}

/** As the API answers it, so that an unchanged form equals the stored settings. */
const configOf = ({ issuer, audience, isEmailTrusted }: Provider) => ({
  issuer: issuer.trim(),
  audience: audience.trim(),
  ...(isEmailTrusted && { trust_email: true }),
})

function ModeChoice({
  value,
  onChange,
}: {
  value: AuthConfig['mode']
  onChange: (mode: AuthConfig['mode']) => void
}) {
  const { auth_config: current } = useOrganization()
  return (
    <ChoiceCards
      legend="Users log in"
      value={value}
      current={current.mode}
      onChange={onChange}
      isDisabled={!useMay('admin')}
      choices={[
        {
          value: 'service',
          title: 'With a code by email',
          text: 'The platform emails a six-digit code and gives your app a token for an hour. No setup.',
        },
        {
          value: 'oidc',
          title: 'With your identity provider',
          text: 'Your app passes on its own OpenID Connect tokens. Users don’t have to log in twice.',
        },
      ]}
    />
  )
}

function ProviderFields({ form: { field, values, set }, error }: { form: Form<Provider>; error: unknown }) {
  const mayChange = useMay('admin')
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          {...field('issuer', error, 'auth_config.issuer')}
          label="Issuer"
          hint={
            <>
              The <Claim>iss</Claim> claim of your tokens. Its discovery document lists the keys that verify
              them.
            </>
          }
          required
          type="url"
          disabled={!mayChange}
          placeholder="https://login.northwind.example"
        />
        <TextField
          {...field('audience', error, 'auth_config.audience')}
          label="Audience"
          hint={
            <>
              The <Claim>aud</Claim> claim of tokens for this platform.
            </>
          }
          required
          disabled={!mayChange}
          placeholder="symbolon"
        />
      </div>
      <SwitchRow
        title="Trust addresses without email_verified"
        text={
          <>
            For a provider whose tokens have no <Claim>email_verified</Claim>. Turn this on only if the
            provider verifies every address: anyone who can register an address there can use it here.
          </>
        }
        isOn={values.isEmailTrusted}
        onChange={(isEmailTrusted) => set({ isEmailTrusted })}
        isDisabled={!mayChange}
      />
      <Notice title="Include the email claim in your tokens">
        {!values.isEmailTrusted && (
          <>
            An address counts only with <Claim>email_verified: true</Claim>.{' '}
          </>
        )}
        Without an address, users can sign but can’t recover a lost device, because we email the recovery
        code.
      </Notice>
    </>
  )
}

function Claim({ children }: { children: string }) {
  return <code className="font-mono text-ink">{children}</code>
}
