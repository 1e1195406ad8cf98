import { useOrganization } from '../data/organization.tsx'
import { Notice } from './notice.tsx'

/** Explains to viewers that their role is read-only here (or, with `isHidden`, has no access), and who may change `what`. */
export function ReadOnlyNote({ what, isHidden = false }: { what: string; isHidden?: boolean }) {
  const { role } = useOrganization()
  return (
    <Notice title={`As a ${role}, you can’t ${isHidden ? 'see this' : 'change this'}.`}>
      Ask an owner or admin to change {what}.
    </Notice>
  )
}
