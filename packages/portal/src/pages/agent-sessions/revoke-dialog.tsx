import type { AgentSession } from '@symbolon/sdk/portal'
import { useOrganization } from '../../data/organization.tsx'
import { portalClient } from '../../data/portal-client.ts'
import { useAction } from '../../data/use-action.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'

/** Revokes a session for good, after asking. */
export function RevokeSessionDialog({
  session: { id, name, token_hint },
  onClose,
}: {
  session: AgentSession
  onClose: () => void
}) {
  const { id: orgID } = useOrganization()
  const revoke = useAction({
    run: () =>
      portalClient.call('POST /v1/orgs/{orgID}/agent-sessions/{sessionID}/revoke', {
        params: { orgID, sessionID: id },
      }),
    changes: [
      ['org', orgID, 'agent-sessions'],
      ['org', orgID, 'agent-session', id],
    ],
    done: `${name} revoked.`,
    onDone: onClose,
  })
  return (
    <ConfirmDialog title={`Revoke ${name}?`} action="Revoke session" change={revoke} onClose={onClose}>
      {token_hint === null
        ? 'The agent’s own runs use this session. None of them can sign anymore. You can’t undo this.'
        : 'Its token stops working immediately. You can’t undo this; mint another session to start over.'}
    </ConfirmDialog>
  )
}
