import { type FormEvent, useState } from 'react'
import { issueOf } from '../../data/explain-error.ts'
import { type Role, useMay, useOrganization } from '../../data/organization.tsx'
import { portalClient } from '../../data/portal-client.ts'
import { useAction } from '../../data/use-action.ts'
import { Button } from '../../ui/button.tsx'
import { ChoiceCards } from '../../ui/choice-cards.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { roleNames, roles, roleTexts } from './roles.ts'

/** Adds somebody by mail address. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { id: orgID } = useOrganization()
  const isOwner = useMay('owner')
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('developer')
  const add = useAction({
    run: (_: undefined) =>
      portalClient.call('POST /v1/orgs/{orgID}/members', { params: { orgID }, body: { email, role } }),
    changes: [['org', orgID, 'members']],
    done: `${email} is a member; an invitation is on its way.`,
    onDone: onClose,
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    add.mutate(undefined)
  }

  return (
    <Dialog
      title="Add a member"
      text="They get a mail and can sign in with this address at once."
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="invite" look="primary" isBusy={add.isPending}>
            Add member
          </Button>
        </>
      }
    >
      <form id="invite" onSubmit={submit} className="flex flex-col gap-4">
        <Field label="E-mail address" error={issueOf(add.error, 'email')}>
          {(props) => (
            <TextInput
              {...props}
              required
              type="email"
              value={email}
              onChange={(event) => setEmail(event.target.value)}
              placeholder="ada@northwind.example"
            />
          )}
        </Field>
        <ChoiceCards
          legend="Role"
          value={role}
          onChange={setRole}
          choices={roles
            .filter((one) => one !== 'owner' || isOwner)
            .map((one) => ({ value: one, title: roleNames[one], text: roleTexts[one] }))}
        />
        <ErrorNotice error={add.error} />
      </form>
    </Dialog>
  )
}
