import { useOrganization } from '../data/organization.tsx'
import { Notice } from './notice.tsx'

/** Says that this role may look, and who may change `what`. */
export function ReadOnlyNote({ what }: { what: string }) {
  const { role } = useOrganization()
  return (
    <Notice title={`As ${role === 'developer' ? 'a developer' : 'a viewer'} you can look, not change.`}>
      Owners and admins change {what}.
    </Notice>
  )
}
