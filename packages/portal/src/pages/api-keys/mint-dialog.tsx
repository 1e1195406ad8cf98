import { type FormEvent, useState } from 'react'
import { nowMs } from '../../adapters/browser.ts'
import { issueOf } from '../../data/explain-error.ts'
import { useOrganization } from '../../data/organization.tsx'
import { type Answer, type Body, portalClient } from '../../data/portal-client.ts'
import { useAction } from '../../data/use-action.ts'
import { Button } from '../../ui/button.tsx'
import { ChoiceCards } from '../../ui/choice-cards.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Select, TextArea, TextInput } from '../../ui/field.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { KeyOnceDialog } from './key-once-dialog.tsx'

type Mint = Body<'POST /v1/orgs/{orgID}/api-keys'>
type Minted = Answer<'POST /v1/orgs/{orgID}/api-keys'>

const lifetimes = [
  ['', 'Never'],
  ['7', 'In 7 days'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In a year'],
] as const

/** Mints a key and shows it once. */
export function MintDialog({ onClose }: { onClose: () => void }) {
  const { id: orgID } = useOrganization()
  const [name, setName] = useState('')
  const [type, setType] = useState<Mint['type']>('secret')
  const [scope, setScope] = useState<NonNullable<Mint['scope']>>('full')
  const [ranges, setRanges] = useState('')
  const [days, setDays] = useState('')
  const [minted, setMinted] = useState<Minted>()
  const isSecret = type === 'secret'
  const mint = useAction({
    run: (_: undefined) =>
      portalClient.call('POST /v1/orgs/{orgID}/api-keys', {
        params: { orgID },
        body: {
          name,
          type,
          ...(isSecret && { scope, ip_allowlist: ranges.split(/[\s,]+/).filter((range) => range !== '') }),
          ...(days !== '' && { expires_at: new Date(nowMs() + Number(days) * 86_400_000).toISOString() }),
        },
      }),
    changes: [['org', orgID, 'api-keys']],
    onDone: setMinted,
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    mint.mutate(undefined)
  }

  if (minted !== undefined) return <KeyOnceDialog minted={minted} onClose={onClose} />
  return (
    <Dialog
      title="Mint an API key"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="mint" look="primary" isBusy={mint.isPending}>
            Mint the key
          </Button>
        </>
      }
    >
      <form id="mint" onSubmit={submit} className="flex flex-col gap-4">
        <ChoiceCards
          legend="What is it for?"
          value={type}
          onChange={setType}
          choices={[
            {
              value: 'secret',
              title: 'Backend',
              text: 'A secret key (sk_live_…). Never in an app or a repository.',
            },
            {
              value: 'publishable',
              title: 'App',
              text: 'A publishable key (pk_live_…). Everybody may see it.',
            },
          ]}
        />
        <Field
          label="Name"
          hint="Where it is used, so that you know what stops when it is revoked."
          error={issueOf(mint.error, 'name')}
        >
          {(props) => (
            <TextInput
              {...props}
              required
              maxLength={100}
              value={name}
              onChange={(event) => setName(event.target.value)}
              placeholder={isSecret ? 'Production backend' : 'Web app'}
            />
          )}
        </Field>
        <div className="grid gap-4 sm:grid-cols-2">
          {isSecret && (
            <Field label="Scope" hint="Reads only: no signing, no archiving.">
              {(props) => (
                <Select
                  {...props}
                  value={scope}
                  onChange={(event) => setScope(event.target.value === 'read' ? 'read' : 'full')}
                >
                  <option value="full">Full</option>
                  <option value="read">Reads only</option>
                </Select>
              )}
            </Field>
          )}
          <Field
            label="Expires"
            hint="Then it is refused by itself."
            error={issueOf(mint.error, 'expires_at')}
          >
            {(props) => (
              <Select {...props} value={days} onChange={(event) => setDays(event.target.value)}>
                {lifetimes.map(([value, text]) => (
                  <option key={value} value={value}>
                    {text}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        </div>
        {isSecret && (
          <Field
            label="Allowed addresses (optional)"
            hint="IPv4 or IPv6, single or as ranges (203.0.113.0/24), separated by spaces. Empty: from everywhere."
            error={
              issueOf(mint.error, 'ip_allowlist') &&
              'one of these is neither an address nor a range such as 203.0.113.0/24'
            }
          >
            {(props) => (
              <TextArea
                {...props}
                rows={2}
                value={ranges}
                onChange={(event) => setRanges(event.target.value)}
                className="font-mono"
              />
            )}
          </Field>
        )}
        <ErrorNotice error={mint.error} />
      </form>
    </Dialog>
  )
}
