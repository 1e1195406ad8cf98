import type { OrganizationRules, StoredRules } from '@symbolon/sdk/portal'
import { type FormEvent, useState } from 'react'
import { issueOf } from '../../data/explain-error.ts'
import { useOrganization } from '../../data/organization.tsx'
import { portalClient } from '../../data/portal-client.ts'
import { useAction } from '../../data/use-action.ts'
import { FieldGroup } from '../../policy/field-group.tsx'
import { rulesDraftOf, rulesFields, rulesOf } from '../../policy/policy-draft.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Card } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'

const cards = [
  {
    group: 'amounts',
    title: 'Spending limits',
    text: 'Limits apply to each native coin separately, in its smallest unit (1 ETH is 1000000000000000000).',
  },
  { group: 'targets', title: 'Chains and recipients', text: undefined },
  { group: 'signatures', title: 'Tokens and signatures', text: undefined },
] as const

/** Edits the rules. Amounts are in the smallest unit, because they apply to every coin. */
export function RulesForm({ stored }: { stored: StoredRules }) {
  const { id: orgID } = useOrganization()
  const [draft, setDraft] = useState(() => rulesDraftOf(stored.rules))
  const rules = rulesOf(draft)
  const save = useAction({
    run: (body: OrganizationRules) =>
      portalClient.call('PUT /v1/orgs/{orgID}/rules', { params: { orgID }, body }),
    changes: ['rules', 'agent-sessions', 'agent-session'],
    done: 'Rules saved. They apply immediately.',
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    if (rules !== undefined) save.mutate(rules)
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-6">
      {cards.map(({ group, title, text }) => (
        <Card key={group} title={title} text={text}>
          <FieldGroup
            fields={rulesFields}
            group={group}
            draft={draft}
            issueOf={(field) => issueOf(save.error, field)}
            set={(change) => setDraft({ ...draft, ...change })}
          />
        </Card>
      ))}
      <ErrorNotice error={save.error} />
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" look="primary" disabled={rules === undefined} isBusy={save.isPending}>
          Save rules
        </Button>
        <span className="text-xs text-muted">
          {stored.updated_at === null ? (
            'No rules set yet. The defaults apply.'
          ) : (
            <>
              Last changed <Time at={stored.updated_at} />.
            </>
          )}
        </span>
      </div>
    </form>
  )
}
