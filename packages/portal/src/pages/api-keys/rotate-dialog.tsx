import { useState } from 'react'
import { useOrganization } from '../../data/organization.tsx'
import { type Answer, portalClient } from '../../data/portal-client.ts'
import { useAction } from '../../data/use-action.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { KeyOnceDialog } from './key-once-dialog.tsx'

type Minted = Answer<'POST /v1/orgs/{orgID}/api-keys/{keyID}/rotate'>

const graces = [
  ['0', 'At once'],
  ['3600', 'After an hour'],
  ['86400', 'After a day'],
  ['604800', 'After a week'],
] as const

/** Replaces a key by a new one with the same rights; the old one goes on for as long as the rollout takes. */
export function RotateDialog({
  apiKey: { id, name },
  onClose,
}: {
  apiKey: { id: string; name: string }
  onClose: () => void
}) {
  const { id: orgID } = useOrganization()
  const [grace, setGrace] = useState('86400')
  const [minted, setMinted] = useState<Minted>()
  const rotate = useAction({
    run: (_: undefined) =>
      portalClient.call('POST /v1/orgs/{orgID}/api-keys/{keyID}/rotate', {
        params: { orgID, keyID: id },
        body: { grace_seconds: Number(grace) },
      }),
    changes: [['org', orgID, 'api-keys']],
    onDone: setMinted,
  })
  const ends = graces.find(([value]) => value === grace)?.[1].toLowerCase()
  if (minted !== undefined)
    return (
      <KeyOnceDialog
        minted={minted}
        note={grace === '0' ? 'The old key is refused from now on.' : `The old key goes on and ends ${ends}.`}
        onClose={onClose}
      />
    )
  return (
    <Dialog
      title={`Rotate ${name}`}
      text="You get a new key with the same rights. Put it in place before the old one ends."
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" isBusy={rotate.isPending} onClick={() => rotate.mutate(undefined)}>
            Rotate the key
          </Button>
        </>
      }
    >
      <Field label="The old key ends">
        {(props) => (
          <Select {...props} value={grace} onChange={(event) => setGrace(event.target.value)}>
            {graces.map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <ErrorNotice error={rotate.error} />
    </Dialog>
  )
}
