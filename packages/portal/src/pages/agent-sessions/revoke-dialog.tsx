import type { AgentSession } from '@symbolon/sdk/portal'
import { useOrganization } from '../../data/organization.tsx'
import { portalClient } from '../../data/portal-client.ts'
import { useAction } from '../../data/use-action.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'

/** Ends a session for good, after asking. */
export function RevokeSessionDialog({
  session: { id, name, token_hint },
  onClose,
}: {
  session: AgentSession
  onClose: () => void
}) {
  const { id: orgID } = useOrganization()
  const revoke = useAction({
    run: (_: undefined) =>
      portalClient.call('POST /v1/orgs/{orgID}/agent-sessions/{sessionID}/revoke', {
        params: { orgID, sessionID: id },
      }),
    changes: [
      ['org', orgID, 'agent-sessions'],
      ['org', orgID, 'agent-session', id],
    ],
    done: `${name} is revoked.`,
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={`Revoke ${name}?`}
      action="Revoke now"
      isBusy={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate(undefined)}
      onClose={onClose}
    >
      {token_hint === null
        ? 'This is the session of an agent’s own runs: none of them can sign any more, and it cannot be undone.'
        : 'As soon as this is answered nothing is signed for its token any more, on any process. It cannot be undone; mint another for a new start.'}
    </ConfirmDialog>
  )
}
