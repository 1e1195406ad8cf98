import type { ReactNode } from 'react'
import { issueOf } from '../data/explain-error.ts'
import { FieldGroup } from './field-group.tsx'
import { agentFields, type PolicyDraft } from './policy-draft.ts'
import { unitOf } from './units.ts'
import { useChains } from './use-chains.ts'

const groups = [
  { group: 'scope', title: 'Where and how', text: undefined },
  {
    group: 'amounts',
    title: 'How much',
    text: 'Of each native coin by itself: ETH and BTC are never added up.',
  },
  { group: 'targets', title: 'To whom and what', text: undefined },
] as const

/** Edits a policy field by field. `error` is what the API said of it; fields are named below `policy`. */
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
        <Group key={group} title={title} text={text}>
          <FieldGroup
            fields={agentFields}
            group={group}
            draft={draft}
            unit={unit}
            issueOf={(field) => issueOf(error, `policy.${field}`)}
            set={(change) => onChange({ ...draft, ...change })}
          />
        </Group>
      ))}
    </div>
  )
}

function Group({ title, text, children }: { title: string; text: string | undefined; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-4 border-t border-line pt-4">
      <div className="flex flex-col gap-0.5">
        <h3 className="text-sm font-semibold">{title}</h3>
        {text !== undefined && <p className="text-xs text-pretty text-muted">{text}</p>}
      </div>
      {children}
    </section>
  )
}
