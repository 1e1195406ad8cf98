import { Send } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { issueOf } from '../../data/explain-error.ts'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { type Answer, type Body, portalClient } from '../../data/portal-client.ts'
import { useAction } from '../../data/use-action.ts'
import { Button } from '../../ui/button.tsx'
import { Field, TextArea, TextInput } from '../../ui/field.tsx'
import { ErrorNotice, Notice } from '../../ui/notice.tsx'
import { Card } from '../../ui/page.tsx'
import { RemoveWebhookDialog } from './remove-webhook-dialog.tsx'
import { RotateSecretDialog } from './rotate-secret-dialog.tsx'
import { SigningSecretDialog } from './signing-secret-dialog.tsx'

type Webhook = Answer<'GET /v1/orgs/{orgID}/webhook'>
type Put = Body<'PUT /v1/orgs/{orgID}/webhook'>

/** Where recovery shares are sent: address, sealing key, test, secret. `webhook` is null while there is none. */
export function WebhookCard({ webhook }: { webhook: Webhook | null }) {
  const { id: orgID } = useOrganization()
  const mayChange = useMay('admin')
  const [url, setUrl] = useState(webhook?.url ?? '')
  const [key, setKey] = useState(keyText(webhook))
  const [secret, setSecret] = useState<string>()
  const [opened, setOpened] = useState<'remove' | 'rotate'>()
  const jwk = readKey(key)
  const isChanged = url !== (webhook?.url ?? '') || key !== keyText(webhook)
  const changes = [
    ['org', orgID, 'webhook'],
    ['org', orgID, 'deliveries'],
  ]
  const save = useAction({
    run: (body: Put) => portalClient.call('PUT /v1/orgs/{orgID}/webhook', { params: { orgID }, body }),
    // The answer comes with the secret, which a reload of this card would lose: it is asked for anew afterwards.
    onDone: ({ signing_secret }) =>
      signing_secret === null ? reload.mutate(undefined) : setSecret(signing_secret),
    done: 'The webhook is set.',
  })
  const reload = useAction({
    run: async (_: undefined) => ({ data: null, error: null }),
    changes,
  })
  const test = useAction({
    run: (_: undefined) => portalClient.call('POST /v1/orgs/{orgID}/webhook/test', { params: { orgID } }),
    changes: [['org', orgID, 'deliveries']],
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    if (jwk !== null) save.mutate({ url, ...(jwk !== undefined && { encryption_key: jwk }) })
  }

  return (
    <form onSubmit={submit}>
      <Card
        title="Webhook"
        text="A receiver of yours that stores recovery shares and gives them back. The SDK has one that is ready to run."
        footer={
          <>
            <div className="flex flex-wrap gap-2">
              {webhook !== null && (
                <>
                  <Button
                    disabled={!mayChange || isChanged}
                    isBusy={test.isPending}
                    icon={<Send className="size-4" aria-hidden="true" />}
                    onClick={() => test.mutate(undefined)}
                  >
                    Send a test
                  </Button>
                  <Button disabled={!mayChange} onClick={() => setOpened('rotate')}>
                    Rotate the secret…
                  </Button>
                  <Button look="danger" disabled={!mayChange} onClick={() => setOpened('remove')}>
                    Remove…
                  </Button>
                </>
              )}
            </div>
            <Button
              type="submit"
              look="primary"
              disabled={!mayChange || !isChanged || jwk === null}
              isBusy={save.isPending}
            >
              {webhook === null ? 'Set the webhook' : 'Save'}
            </Button>
          </>
        }
      >
        <div className="flex flex-col gap-4">
          <Field
            label="Address"
            hint="https. Every call is signed with a secret that you see once, when the webhook is set."
            error={issueOf(save.error, 'url')}
          >
            {(props) => (
              <TextInput
                {...props}
                required
                type="url"
                disabled={!mayChange}
                value={url}
                onChange={(event) => setUrl(event.target.value.trim())}
                placeholder="https://recovery.northwind.example/symbolon"
              />
            )}
          </Field>
          <Field
            label="Encryption key (optional)"
            hint="A public P-256 key as JWK: shares then travel sealed to it, and only its holder can read them."
            error={
              jwk === null ? 'this is not JSON of a public P-256 key' : issueOf(save.error, 'encryption_key')
            }
          >
            {(props) => (
              <TextArea
                {...props}
                rows={3}
                disabled={!mayChange}
                value={key}
                onChange={(event) => setKey(event.target.value)}
                placeholder='{"kty":"EC","crv":"P-256","x":"…","y":"…"}'
                className="font-mono text-xs"
              />
            )}
          </Field>
          <ErrorNotice error={save.error ?? test.error} />
          {test.data !== undefined && !test.isPending && <TestResult result={test.data} />}
        </div>
      </Card>
      {secret !== undefined && (
        <SigningSecretDialog
          secret={secret}
          onClose={() => {
            setSecret(undefined)
            reload.mutate(undefined)
          }}
        />
      )}
      {opened === 'rotate' && <RotateSecretDialog onClose={() => setOpened(undefined)} />}
      {opened === 'remove' && <RemoveWebhookDialog onClose={() => setOpened(undefined)} />}
    </form>
  )
}

function TestResult({ result }: { result: Answer<'POST /v1/orgs/{orgID}/webhook/test'> }) {
  const { delivered, status, error } = result
  if (delivered) return <Notice look="good" title={`Your receiver answered ${status}. It works.`} />
  return (
    <Notice
      look="bad"
      title={status === null ? 'Your receiver could not be reached.' : `Your receiver answered ${status}.`}
    >
      {error !== null && <p className="wrap-anywhere">{error}</p>}
      It has to answer 2xx within 15 seconds, at a public address, without a redirect.
    </Notice>
  )
}

function keyText(webhook: Webhook | null): string {
  const key = webhook?.encryption_key ?? null
  return key === null ? '' : JSON.stringify(key)
}

/** The key in the field; undefined: none; null: something else. */
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
