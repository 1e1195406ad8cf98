import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { LogOut, Trash2, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { explainError } from '../../data/explain-error.ts'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { type Answer, portalClient } from '../../data/portal-client.ts'
import { membersQuery, sessionQuery } from '../../data/queries.ts'
import { useAction } from '../../data/use-action.ts'
import { Badge } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/button.tsx'
import { ConfirmAction } from '../../ui/confirm-dialog.tsx'
import { DialogButton } from '../../ui/dialog-button.tsx'
import { Select } from '../../ui/field.tsx'
import { initials } from '../../ui/format.ts'
import { List } from '../../ui/list.tsx'
import { Page } from '../../ui/page.tsx'
import { Cell } from '../../ui/table.tsx'
import { useToast } from '../../ui/toasts.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { roleNames, roles } from './roles.ts'

type Member = Answer<'GET /v1/orgs/{orgID}/members'>['items'][number]

const columns = [{ title: 'Member' }, { title: 'Role' }, { title: 'Actions', isEnd: true, isHidden: true }]

/** The members of the company and their roles. */
export function MembersPage() {
  const { data: session } = useQuery(sessionQuery)
  const query = useQuery(membersQuery(useOrganization().id))
  const [leaving, setLeaving] = useState<Member>()
  const isSelf = (member: Member) => member.user_id === session?.user.id
  return (
    <Page
      title="Members"
      lead="The people who work on this company. Changes to their roles take effect immediately."
      actions={
        <DialogButton
          needs="admin"
          look="primary"
          icon={UserPlus}
          dialog={(close) => <InviteDialog onClose={close} />}
        >
          Add member
        </DialogButton>
      }
    >
      <List label="Members" columns={columns} query={query} rows={3}>
        {(member) => (
          <MemberRow
            key={member.id}
            member={member}
            isSelf={isSelf(member)}
            onRemove={() => setLeaving(member)}
          />
        )}
      </List>
      {leaving !== undefined && (
        <RemoveDialog member={leaving} isSelf={isSelf(leaving)} onClose={() => setLeaving(undefined)} />
      )}
    </Page>
  )
}

function MemberRow({ member, isSelf, onRemove }: { member: Member; isSelf: boolean; onRemove: () => void }) {
  const { email, name, role, is_invited } = member
  const isOwner = useMay('owner')
  const isAdmin = useMay('admin')
  const mayChange = isOwner || (isAdmin && role !== 'owner')
  return (
    <tr>
      <Cell className="w-full max-w-0">
        <div className="flex items-center gap-3">
          <span
            aria-hidden="true"
            className="grid size-8 shrink-0 place-items-center rounded-full bg-tint text-xs font-semibold text-accent max-sm:hidden"
          >
            {initials(name || email)}
          </span>
          <span className="min-w-0">
            <span className="flex flex-wrap items-center gap-x-2 font-medium">
              <span className="min-w-0 wrap-anywhere">{name || email}</span>
              {isSelf && <Badge>You</Badge>}
              {is_invited && !isSelf && <Badge look="warn">Invited</Badge>}
            </span>
            {name !== '' && <span className="block truncate text-xs text-muted">{email}</span>}
          </span>
        </div>
      </Cell>
      <Cell>
        <RoleSelect member={member} isDisabled={!mayChange} />
      </Cell>
      <Cell isEnd className="whitespace-nowrap">
        {(isSelf || mayChange) && (
          <IconButton
            label={isSelf ? 'Leave this company' : `Remove ${email}`}
            icon={isSelf ? LogOut : Trash2}
            onClick={onRemove}
          />
        )}
      </Cell>
    </tr>
  )
}

function RoleSelect({ member: { id, email, role }, isDisabled }: { member: Member; isDisabled: boolean }) {
  const { id: orgID } = useOrganization()
  const isOwner = useMay('owner')
  const toast = useToast()
  const change = useAction({
    run: (next: Member['role']) =>
      portalClient.call('PATCH /v1/orgs/{orgID}/members/{memberID}', {
        params: { orgID, memberID: id },
        body: { role: next },
      }),
    changes: ['members', 'orgs'],
    done: (next) => `The role of ${email} is now ${roleNames[next].toLowerCase()}.`,
  })

  function choose(text: string) {
    const next = roles.find((one) => one === text)
    const onError = (error: unknown) => {
      const { title, advice } = explainError(error)
      toast(`${title} ${advice}`, 'bad')
    }
    if (next !== undefined) change.mutate(next, { onError })
  }

  return (
    <Select
      aria-label={`Role of ${email}`}
      className="w-28! sm:w-32!"
      disabled={isDisabled || change.isPending}
      value={change.isPending ? change.variables : role}
      onText={choose}
    >
      {roles.map((one) => (
        <option key={one} value={one} disabled={one === 'owner' && !isOwner}>
          {roleNames[one]}
        </option>
      ))}
    </Select>
  )
}

function RemoveDialog({
  member: { id, email },
  isSelf,
  onClose,
}: {
  member: Member
  isSelf: boolean
  onClose: () => void
}) {
  const navigate = useNavigate()
  const { id: orgID, name } = useOrganization()
  return (
    <ConfirmAction
      title={isSelf ? `Leave ${name}?` : `Remove ${email}?`}
      action={isSelf ? 'Leave' : 'Remove'}
      run={() =>
        portalClient.call('DELETE /v1/orgs/{orgID}/members/{memberID}', { params: { orgID, memberID: id } })
      }
      changes={[isSelf ? 'orgs' : 'members']}
      done={isSelf ? `You left ${name}.` : `${email} removed.`}
      onDone={() => void (isSelf && navigate({ to: '/' }))}
      onClose={onClose}
    >
      {isSelf
        ? 'You lose access immediately. Only an owner or admin can add you again.'
        : 'They lose access immediately. API keys they created keep working; revoke those separately.'}
    </ConfirmAction>
  )
}
