import type { AgentSession } from '@symbolon/sdk/portal'
import { useOrganization } from '../../data/organization.tsx'
import { portalClient } from '../../data/portal-client.ts'
import { ConfirmAction } from '../../ui/confirm-dialog.tsx'

/** Revokes a session for good, after asking. */
export function RevokeSessionDialog({
  session: { id, name, token_hint },
  onClose,
}: {
  session: AgentSession
  onClose: () => void
}) {
  const { id: orgID } = useOrganization()
  return (
    <ConfirmAction
      title={`Revoke ${name}?`}
      action="Revoke session"
      run={() =>
        portalClient.call('POST /v1/orgs/{orgID}/agent-sessions/{sessionID}/revoke', {
          params: { orgID, sessionID: id },
        })
      }
      changes={['agent-sessions', 'agent-session']}
      done={`${name} revoked.`}
      onClose={onClose}
    >
      {token_hint === null
        ? 'The agent’s own runs use this session. None of them can sign anymore. You can’t undo this.'
        : 'Its token stops working immediately. You can’t undo this; mint another session to start over.'}
    </ConfirmAction>
  )
}
