import { useState } from 'react'
import { useOrganization } from '../../data/organization.tsx'
import { type Answer, portalClient } from '../../data/portal-client.ts'
import { useAction } from '../../data/use-action.ts'
import { SelectField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { KeyOnceDialog } from './key-once-dialog.tsx'

const graces = [
  ['0', 'Immediately'],
  ['3600', 'In an hour'],
  ['86400', 'In a day'],
  ['604800', 'In a week'],
] as const

/** Replaces a key with a new one with the same rights; the old one stays valid for a grace period. */
export function RotateDialog({
  apiKey: { id, name },
  onClose,
}: {
  apiKey: { id: string; name: string }
  onClose: () => void
}) {
  const { id: orgID } = useOrganization()
  const [grace, setGrace] = useState('86400')
  const [created, setCreated] = useState<Answer<'POST /v1/orgs/{orgID}/api-keys/{keyID}/rotate'>>()
  const rotate = useAction({
    run: () =>
      portalClient.call('POST /v1/orgs/{orgID}/api-keys/{keyID}/rotate', {
        params: { orgID, keyID: id },
        body: { grace_seconds: Number(grace) },
      }),
    changes: ['api-keys'],
    onDone: setCreated,
  })
  const ends = graces.find(([value]) => value === grace)?.[1].toLowerCase()
  if (created !== undefined)
    return (
      <KeyOnceDialog
        created={created}
        note={grace === '0' ? 'The old key no longer works.' : `The old key expires ${ends}.`}
        onClose={onClose}
      />
    )
  return (
    <FormDialog
      title={`Rotate ${name}`}
      text="You get a new key with the same rights. Deploy it before the old one expires."
      action="Rotate key"
      change={rotate}
      onClose={onClose}
    >
      <SelectField label="The old key expires" value={grace} onText={setGrace} options={graces} />
    </FormDialog>
  )
}
