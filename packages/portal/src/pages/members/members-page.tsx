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
import { Button, IconButton } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Select } from '../../ui/field.tsx'
import { initials } from '../../ui/format.ts'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Cell, LoadingRows, Table } from '../../ui/table.tsx'
import { toast } from '../../ui/toasts.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { roleNames, roles } from './roles.ts'

type Member = Answer<'GET /v1/orgs/{orgID}/members'>['items'][number]

const columns = [{ title: 'Member' }, { title: 'Role' }, { title: 'Actions', isEnd: true, isHidden: true }]

/** Who works on this company, and as what. */
export function MembersPage() {
  const { id: orgID } = useOrganization()
  const mayInvite = useMay('admin')
  const { data: session } = useQuery(sessionQuery)
  const { data, error, refetch } = useQuery(membersQuery(orgID))
  const [isInviting, setInviting] = useState(false)
  const [leaving, setLeaving] = useState<Member>()
  return (
    <Page
      title="Members"
      lead="Whoever works on this company. Changes take effect with the next click of the person."
      actions={
        <Button
          look="primary"
          disabled={!mayInvite}
          title={mayInvite ? undefined : 'Admins and owners add members'}
          icon={<UserPlus className="size-4" aria-hidden="true" />}
          onClick={() => setInviting(true)}
        >
          Add a member
        </Button>
      }
    >
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {error === null && (
        <Table label="Members" columns={columns}>
          {data === undefined && <LoadingRows columns={columns} rows={3} />}
          {data?.map((member) => (
            <MemberRow
              key={member.id}
              member={member}
              isSelf={member.user_id === session?.user.id}
              onRemove={() => setLeaving(member)}
            />
          ))}
        </Table>
      )}
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
      {leaving !== undefined && (
        <RemoveDialog
          member={leaving}
          isSelf={leaving.user_id === session?.user.id}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </Page>
  )
}

function MemberRow({
  member: { id, email, name, role, is_invited },
  isSelf,
  onRemove,
}: {
  member: Member
  isSelf: boolean
  onRemove: () => void
}) {
  const { id: orgID } = useOrganization()
  const isOwner = useMay('owner')
  const isAdmin = useMay('admin')
  const mayChange = isOwner || (isAdmin && role !== 'owner')
  const change = useAction({
    run: (next: Member['role']) =>
      portalClient.call('PATCH /v1/orgs/{orgID}/members/{memberID}', {
        params: { orgID, memberID: id },
        body: { role: next },
      }),
    changes: [['org', orgID, 'members'], ['orgs']],
    done: (next) => `${email} is now ${roleNames[next].toLowerCase()}.`,
  })
  return (
    <tr>
      <Cell className="w-full max-w-0">
        <div className="flex items-center gap-3">
          <span
            aria-hidden="true"
            className="grid size-8 shrink-0 place-items-center rounded-full bg-tint text-xs font-semibold text-accent max-sm:hidden"
          >
            {initials(name === '' ? email : name)}
          </span>
          <span className="min-w-0">
            <span className="flex flex-wrap items-center gap-x-2 font-medium">
              <span className="min-w-0 wrap-anywhere">{name === '' ? email : name}</span>
              {isSelf && <Badge>You</Badge>}
              {is_invited && !isSelf && <Badge look="warn">Invited</Badge>}
            </span>
            {name !== '' && <span className="block truncate text-xs text-muted">{email}</span>}
          </span>
        </div>
      </Cell>
      <Cell>
        <Select
          aria-label={`Role of ${email}`}
          className="w-28! sm:w-32!"
          disabled={!mayChange || change.isPending}
          value={change.isPending ? change.variables : role}
          onChange={(event) => {
            const next = roles.find((one) => one === event.target.value)
            if (next !== undefined)
              change.mutate(next, {
                onError: (error) => {
                  const { title, advice } = explainError(error)
                  toast(`${title} ${advice}`, 'bad')
                },
              })
          }}
        >
          {roles.map((one) => (
            <option key={one} value={one} disabled={one === 'owner' && !isOwner}>
              {roleNames[one]}
            </option>
          ))}
        </Select>
      </Cell>
      <Cell isEnd className="whitespace-nowrap">
        {(isSelf || mayChange) && (
          <IconButton label={isSelf ? 'Leave this company' : `Remove ${email}`} onClick={onRemove}>
            {isSelf ? <LogOut /> : <Trash2 />}
          </IconButton>
        )}
      </Cell>
    </tr>
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
  const remove = useAction({
    run: (_: undefined) =>
      portalClient.call('DELETE /v1/orgs/{orgID}/members/{memberID}', { params: { orgID, memberID: id } }),
    changes: isSelf ? [['orgs']] : [['org', orgID, 'members']],
    done: isSelf ? `You have left ${name}.` : `${email} is removed.`,
    onDone() {
      onClose()
      if (isSelf) void navigate({ to: '/' })
    },
  })
  return (
    <ConfirmDialog
      title={isSelf ? `Leave ${name}?` : `Remove ${email}?`}
      action={isSelf ? 'Leave' : 'Remove'}
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(undefined)}
      onClose={onClose}
    >
      {isSelf
        ? 'Only an owner or admin can bring you back.'
        : 'The person loses access with the next click. Keys that they minted go on: revoke those apart.'}
    </ConfirmDialog>
  )
}
