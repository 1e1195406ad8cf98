import { useState } from 'react'
import { issueOf } from '../../data/explain-error.ts'
import { type Role, useMay, useOrganization } from '../../data/organization.tsx'
import { portalClient } from '../../data/portal-client.ts'
import { useAction } from '../../data/use-action.ts'
import { ChoiceCards } from '../../ui/choice-cards.tsx'
import { TextField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { roleNames, roles, roleTexts } from './roles.ts'

/** Adds a member by email address. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { id: orgID } = useOrganization()
  const isOwner = useMay('owner')
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('developer')
  const add = useAction({
    run: () =>
      portalClient.call('POST /v1/orgs/{orgID}/members', { params: { orgID }, body: { email, role } }),
    changes: ['members'],
    done: `${email} added. We sent them an invitation.`,
    onDone: onClose,
  })
  return (
    <FormDialog
      title="Add a member"
      text="They get an invitation by email and can sign in with this address right away."
      action="Add member"
      change={add}
      onClose={onClose}
    >
      <TextField
        label="Email address"
        error={issueOf(add.error, 'email')}
        required
        type="email"
        value={email}
        onText={setEmail}
        placeholder="ada@northwind.example"
      />
      <ChoiceCards
        legend="Role"
        value={role}
        onChange={setRole}
        choices={roles
          .filter((one) => one !== 'owner' || isOwner)
          .map((one) => ({ value: one, title: roleNames[one], text: roleTexts[one] }))}
      />
    </FormDialog>
  )
}
