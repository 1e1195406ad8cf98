import { useQuery } from '@tanstack/react-query'
import { rulesQuery } from '../../data/agent-queries.ts'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { ReadOnlyNote } from '../../ui/read-only-note.tsx'
import { RulesForm } from './rules-form.tsx'

/** The rules that all agents of the company obey. Owners and admins alone may see them. */
export function RulesPage() {
  const maySee = useMay('admin')
  return (
    <Page
      title="Rules"
      lead="What no agent may do, whatever its own policy or session says. A change holds from the answer on, everywhere."
    >
      {maySee ? <Rules /> : <ReadOnlyNote what="the rules, and only they see them" isHidden />}
    </Page>
  )
}

function Rules() {
  const { id: orgID } = useOrganization()
  const { data, error, refetch } = useQuery(rulesQuery(orgID))
  return (
    <>
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {data === undefined && error === null && (
        <div className="pulse h-72 rounded-xl bg-sunken" aria-busy="true" />
      )}
      {data !== undefined && <RulesForm key={data.updated_at ?? 'none'} stored={data} />}
    </>
  )
}
