import { type FormEvent, useState } from 'react'
import { issueOf } from '../../data/explain-error.ts'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { type Body, portalClient } from '../../data/portal-client.ts'
import { useAction } from '../../data/use-action.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ChoiceCards } from '../../ui/choice-cards.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { ReadOnlyNote } from '../../ui/read-only-note.tsx'

type AuthConfig = Body<'PATCH /v1/orgs/{orgID}/auth'>['auth_config']

/** How the company's users log in. */
export function AuthenticationPage() {
  const { id: orgID, auth_config: present } = useOrganization()
  const mayChange = useMay('admin')
  const [mode, setMode] = useState(present.mode)
  const [issuer, setIssuer] = useState(present.mode === 'oidc' ? present.issuer : '')
  const [audience, setAudience] = useState(present.mode === 'oidc' ? present.audience : '')
  const [isAsked, setAsked] = useState(false)
  const wanted: AuthConfig = mode === 'service' ? { mode } : { mode, issuer, audience }
  const isChanged = JSON.stringify(wanted) !== JSON.stringify(present)
  const save = useAction({
    run: (_: undefined) =>
      portalClient.call('PATCH /v1/orgs/{orgID}/auth', { params: { orgID }, body: { auth_config: wanted } }),
    changes: [['orgs']],
    done: 'Users log in this way from now on.',
    onDone: () => setAsked(false),
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    setAsked(true)
  }

  return (
    <Page title="Authentication" lead="How your users prove who they are before they reach their wallet.">
      {!mayChange && <ReadOnlyNote what="how users log in" />}
      <form onSubmit={submit}>
        <Card
          footer={
            <>
              <p className="text-xs text-muted">The owners are told by mail when this changes.</p>
              <Button type="submit" look="primary" disabled={!isChanged || !mayChange}>
                Save
              </Button>
            </>
          }
        >
          <div className="flex flex-col gap-5">
            <ChoiceCards
              legend="Users log in"
              value={mode}
              onChange={setMode}
              isDisabled={!mayChange}
              choices={[
                {
                  value: 'service',
                  title: 'By a code in an e-mail',
                  badge: present.mode === 'service' && <Badge look="good">Now</Badge>,
                  text: 'The platform mails six digits and gives your app a token for an hour. Nothing to set up.',
                },
                {
                  value: 'oidc',
                  title: 'At your identity provider',
                  badge: present.mode === 'oidc' && <Badge look="good">Now</Badge>,
                  text: 'Your app hands over its own OpenID Connect tokens. Users need no second login.',
                },
              ]}
            />
            {mode === 'oidc' && (
              <div className="grid gap-4 sm:grid-cols-2">
                <Field
                  label="Issuer"
                  hint={
                    <>
                      The <Claim>iss</Claim> of your tokens. Its discovery document names the keys that they
                      are checked with.
                    </>
                  }
                  error={issueOf(save.error, 'auth_config.issuer')}
                >
                  {(props) => (
                    <TextInput
                      {...props}
                      required
                      type="url"
                      disabled={!mayChange}
                      value={issuer}
                      onChange={(event) => setIssuer(event.target.value.trim())}
                      placeholder="https://login.northwind.example"
                    />
                  )}
                </Field>
                <Field
                  label="Audience"
                  hint={
                    <>
                      The <Claim>aud</Claim> that tokens for this platform carry.
                    </>
                  }
                  error={issueOf(save.error, 'auth_config.audience')}
                >
                  {(props) => (
                    <TextInput
                      {...props}
                      required
                      disabled={!mayChange}
                      value={audience}
                      onChange={(event) => setAudience(event.target.value.trim())}
                      placeholder="symbolon"
                    />
                  )}
                </Field>
              </div>
            )}
            {mode === 'oidc' && (
              <Notice title="Tokens without an e-mail claim">
                Users can sign with them, but not recover a lost device: the recovery code is mailed.
              </Notice>
            )}
          </div>
        </Card>
      </form>
      {isAsked && (
        <ConfirmDialog
          title="Change how users log in?"
          action="Change it now"
          isBusy={save.isPending}
          error={save.error}
          onConfirm={() => save.mutate(undefined)}
          onClose={() => setAsked(false)}
        >
          Every login of today’s way ends at once, and users have to log in again. Users of one way are not
          those of the other: a wallet stays with the login it was made by.
        </ConfirmDialog>
      )}
    </Page>
  )
}

function Claim({ children }: { children: string }) {
  return <code className="font-mono text-ink">{children}</code>
}
