import { issueOf } from '../data/explain-error.ts'
import type { PolicyDraft } from './draft-kinds.ts'
import { FieldGroup } from './field-group.tsx'
import { agentFields } from './policy-draft.ts'
import { unitOf } from './units.ts'
import { useChains } from './use-chains.ts'

const groups = [
  { group: 'scope', title: 'Chains and methods', text: '' },
  {
    group: 'amounts',
    title: 'Spending limits',
    text: 'Limits apply to each native coin separately: ETH and BTC aren’t added up.',
  },
  { group: 'targets', title: 'Recipients, tokens and contracts', text: '' },
] as const

/** Edits a policy field by field. `error` is the API's, which names fields below `policy`. */
export function PolicyEditor({
  draft,
  error,
  onChange,
}: {
  draft: PolicyDraft
  error: unknown
  onChange: (draft: PolicyDraft) => void
}) {
  const unit = unitOf(useChains(), draft.allowed_chains)
  return (
    <div className="flex flex-col gap-6">
      {groups.map(({ group, title, text }) => (
        <section key={group} className="flex flex-col gap-4 border-t border-line pt-4">
          <div className="flex flex-col gap-0.5">
            <h3 className="text-sm font-semibold">{title}</h3>
            <p className="text-xs text-pretty text-muted empty:hidden">{text}</p>
          </div>
          <FieldGroup
            fields={agentFields}
            group={group}
            draft={draft}
            unit={unit}
            issueOf={(field) => issueOf(error, `policy.${field}`)}
            set={(change) => onChange({ ...draft, ...change })}
          />
        </section>
      ))}
    </div>
  )
}
