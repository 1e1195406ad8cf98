import { useOrganization } from '../data/organization.tsx'
import { Notice } from './notice.tsx'

/** Says that this role may look (or, where it `isHidden`, not even that), and who may change `what`. */
export function ReadOnlyNote({ what, isHidden = false }: { what: string; isHidden?: boolean }) {
  const { role } = useOrganization()
  const as = `As ${role === 'developer' ? 'a developer' : 'a viewer'} you`
  return (
    <Notice title={isHidden ? `${as} do not see this.` : `${as} can look, not change.`}>
      Owners and admins change {what}.
    </Notice>
  )
}
