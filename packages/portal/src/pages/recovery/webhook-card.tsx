import { useQueryClient } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { issueOf } from '../../data/explain-error.ts'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { type Answer, type Body, portalClient } from '../../data/portal-client.ts'
import { type Action, useAction } from '../../data/use-action.ts'
import { Button } from '../../ui/button.tsx'
import { DialogButton, RoleButton } from '../../ui/dialog-button.tsx'
import { TextAreaField, TextField } from '../../ui/field.tsx'
import { ErrorNotice, Notice } from '../../ui/notice.tsx'
import { Card } from '../../ui/page.tsx'
import { SecretDialog } from '../../ui/secret-dialog.tsx'
import { RemoveWebhookDialog } from './remove-webhook-dialog.tsx'
import { RotateSecretDialog } from './rotate-secret-dialog.tsx'

type Webhook = Answer<'GET /v1/orgs/{orgID}/webhook'>
type Put = Body<'PUT /v1/orgs/{orgID}/webhook'>
type Test = Answer<'POST /v1/orgs/{orgID}/webhook/test'>

/** The webhook that receives recovery shares: URL, encryption key, test, secret. `webhook` is null if none is set. */
export function WebhookCard({ webhook }: { webhook: Webhook | null }) {
  const mayChange = useMay('admin')
  const [url, setUrl] = useState(webhook?.url ?? '')
  const [key, setKey] = useState(keyText(webhook))
  const [secret, setSecret] = useState<{ value: string; note?: string }>()
  const jwk = readKey(key)
  const isChanged = url !== (webhook?.url ?? '') || key !== keyText(webhook)
  const { save, test, reload } = useWebhookActions((stored) => {
    setUrl(stored.url)
    setKey(keyText(stored))
    if (stored.signing_secret !== null) setSecret({ value: stored.signing_secret })
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    if (jwk !== null) save.mutate({ url, ...(jwk !== undefined && { encryption_key: jwk }) })
  }

  return (
    <>
      <Card
        title="Webhook"
        text="Your receiver, which stores recovery shares and returns them. The SDK includes one that is ready to run."
        footer={
          <>
            <div className="flex flex-wrap gap-2">
              {webhook !== null && <Actions test={test} isChanged={isChanged} onRotated={setSecret} />}
            </div>
            <Button
              type="submit"
              form="webhook"
              look="primary"
              disabled={!mayChange || !isChanged || jwk === null}
              isBusy={save.isPending}
            >
              {webhook === null ? 'Set webhook' : 'Save'}
            </Button>
          </>
        }
      >
        <form id="webhook" onSubmit={submit} className="flex flex-col gap-4">
          <UrlField value={url} error={save.error} onText={setUrl} />
          <KeyField value={key} error={save.error} onText={setKey} />
          <ErrorNotice error={save.error ?? test.error} />
          {test.data !== undefined && !test.isPending && <TestResult result={test.data} />}
        </form>
      </Card>
      {secret !== undefined && (
        <NewSecretDialog
          {...secret}
          onClose={() => {
            setSecret(undefined)
            reload()
          }}
        />
      )}
    </>
  )
}

function NewSecretDialog({ value, note, onClose }: { value: string; note?: string; onClose: () => void }) {
  return (
    <SecretDialog
      title="Your signing secret"
      text="Your receiver uses it to check that calls come from this platform."
      label="Signing secret"
      secret={value}
      onClose={onClose}
    >
      {note !== undefined && <p className="text-sm text-pretty text-muted">{note}</p>}
    </SecretDialog>
  )
}

function useWebhookActions(onSaved: (stored: Answer<'PUT /v1/orgs/{orgID}/webhook'>) => void) {
  const { id: orgID } = useOrganization()
  const client = useQueryClient()
  const reload = () => {
    for (const name of ['webhook', 'deliveries'])
      void client.invalidateQueries({ queryKey: ['org', orgID, name] })
  }
  const save = useAction({
    run: (body: Put) => portalClient.call('PUT /v1/orgs/{orgID}/webhook', { params: { orgID }, body }),
    // The reload after the first save replaces this card, and with it the secret: it waits until the secret has been saved.
    onDone(stored) {
      onSaved(stored)
      if (stored.signing_secret === null) reload()
    },
    done: (_, { signing_secret }) =>
      signing_secret === null ? 'Webhook saved. Its signing secret is the same as before.' : 'Webhook set.',
  })
  const test = useAction({
    run: () => portalClient.call('POST /v1/orgs/{orgID}/webhook/test', { params: { orgID } }),
    changes: ['deliveries'],
  })
  return { save, test, reload }
}

function Actions({
  test,
  isChanged,
  onRotated,
}: {
  test: Action<void, Test>
  isChanged: boolean
  onRotated: (secret: { value: string; note: string }) => void
}) {
  const note = 'The old secret stays valid for 24 hours. Deploy the new one by then.'
  return (
    <>
      <RoleButton
        needs="admin"
        isDisabled={isChanged}
        isBusy={test.isPending}
        icon={Send}
        onClick={() => test.mutate()}
      >
        Send test
      </RoleButton>
      <DialogButton
        needs="admin"
        dialog={(close) => (
          <RotateSecretDialog onRotated={(value) => onRotated({ value, note })} onClose={close} />
        )}
      >
        Rotate secret…
      </DialogButton>
      <DialogButton needs="admin" look="danger" dialog={(close) => <RemoveWebhookDialog onClose={close} />}>
        Remove…
      </DialogButton>
    </>
  )
}

type FieldProps = { value: string; error: unknown; onText: (text: string) => void }

function UrlField({ value, error, onText }: FieldProps) {
  return (
    <TextField
      label="URL"
      hint="Must be https. Every call is signed with a secret, which you see once when you set the webhook."
      error={issueOf(error, 'url')}
      required
      type="url"
      disabled={!useMay('admin')}
      value={value}
      onText={(text) => onText(text.trim())}
      placeholder="https://recovery.northwind.example/symbolon"
    />
  )
}

function KeyField({ value, error, onText }: FieldProps) {
  return (
    <TextAreaField
      label="Encryption key (optional)"
      hint="A public P-256 key as JWK. Shares are then encrypted to it, and only its holder can read them."
      error={
        readKey(value) === null ? 'Enter a public P-256 key as JSON (JWK).' : issueOf(error, 'encryption_key')
      }
      rows={3}
      disabled={!useMay('admin')}
      value={value}
      onText={onText}
      placeholder='{"kty":"EC","crv":"P-256","x":"…","y":"…"}'
      className="font-mono text-xs"
    />
  )
}

function TestResult({ result: { delivered, status, error } }: { result: Test }) {
  if (delivered) return <Notice look="good" title={`It works: your receiver returned ${status}`} />
  return (
    <Notice
      look="bad"
      title={status === null ? 'We couldn’t reach your receiver' : `Your receiver returned ${status}`}
    >
      {error !== null && <p className="wrap-anywhere">{error}</p>}
      It must return 2xx within 15 seconds, at a public address, without a redirect.
      {status !== null && ' The log of your receiver says why it did not.'}
    </Notice>
  )
}

function keyText(webhook: Webhook | null): string {
  const key = webhook?.encryption_key ?? null
  return key === null ? '' : JSON.stringify(key)
}

/** The key in the field; undefined if it is empty, null if it is not a key. */
function readKey(text: string): Put['encryption_key'] | null | undefined {
  if (text.trim() === '') return undefined
  try {
    const key: unknown = JSON.parse(text)
    const isKey = typeof key === 'object' && key !== null && 'crv' in key && key.crv === 'P-256'
    return isKey ? (key as NonNullable<Put['encryption_key']>) : null
  } catch {
    return null
  }
}
