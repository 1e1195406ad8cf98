import { useQuery } from '@tanstack/react-query'
import { rulesQuery } from '../../data/agent-queries.ts'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { ReadOnlyNote } from '../../ui/read-only-note.tsx'
import { RulesForm } from './rules-form.tsx'

/** The rules for all agents of the company, which only owners and admins may see. */
export function RulesPage() {
  const maySee = useMay('admin')
  return (
    <Page
      title="Rules"
      lead="Limits for every agent, whatever its own policy or session allows. Changes take effect immediately."
    >
      {maySee ? <Rules /> : <ReadOnlyNote what="or look up the rules" isHidden />}
    </Page>
  )
}

function Rules() {
  const query = useQuery(rulesQuery(useOrganization().id))
  return (
    <Loaded query={query} className="h-72 rounded-xl">
      {(stored) => <RulesForm key={stored.updated_at ?? 'none'} stored={stored} />}
    </Loaded>
  )
}
