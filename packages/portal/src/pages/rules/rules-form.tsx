import type { OrganizationRules, StoredRules } from '@symbolon/sdk/portal'
import { type FormEvent, useState } from 'react'
import { issueOf } from '../../data/explain-error.ts'
import { useOrganization } from '../../data/organization.tsx'
import { portalClient } from '../../data/portal-client.ts'
import { useAction } from '../../data/use-action.ts'
import { AmountInput } from '../../policy/amount-input.tsx'
import { ChainPicks } from '../../policy/chain-picks.tsx'
import { Button } from '../../ui/button.tsx'
import { ChoiceCards } from '../../ui/choice-cards.tsx'
import { Field, TextArea, TextInput } from '../../ui/field.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Card } from '../../ui/page.tsx'
import { SwitchRow } from '../../ui/switch-row.tsx'
import { Time } from '../../ui/time.tsx'
import { lifetimeText, type RulesDraft, rulesDraftOf, rulesOf } from './rules-draft.ts'

const tokenModes = [
  {
    value: 'none',
    title: 'None',
    text: 'No token moves, whatever is listed.',
  },
  {
    value: 'allowlist',
    title: 'Listed ones',
    text: 'Only tokens that the agent or the session lists, within their caps. The default.',
  },
  {
    value: 'any',
    title: 'Any',
    text: 'Every token may move without a cap where no list limits it.',
  },
] as const

/** Edits the rules. Amounts are in the smallest unit, since they hold for every coin. */
export function RulesForm({ stored }: { stored: StoredRules }) {
  const { id: orgID } = useOrganization()
  const [draft, setDraft] = useState(() => rulesDraftOf(stored.rules))
  const rules = rulesOf(draft)
  const set = (change: Partial<RulesDraft>) => setDraft({ ...draft, ...change })
  const save = useAction({
    run: (body: OrganizationRules) =>
      portalClient.call('PUT /v1/orgs/{orgID}/rules', { params: { orgID }, body }),
    changes: [
      ['org', orgID, 'rules'],
      ['org', orgID, 'agent-sessions'],
      ['org', orgID, 'agent-session'],
    ],
    done: 'The rules hold from now on.',
  })
  const issue = (field: string) => issueOf(save.error, field)

  function submit(event: FormEvent) {
    event.preventDefault()
    if (rules !== undefined) save.mutate(rules)
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-6">
      <Card
        title="How much"
        text="Of each native coin by itself, in its smallest unit (1 ETH is 1000000000000000000)."
      >
        <div className="grid gap-4 sm:grid-cols-2">
          <AmountInput
            label="Per transaction"
            hint="No agent sends more at once. Empty: no limit."
            value={draft.perTx}
            unit={undefined}
            error={issue('max_native_per_tx_cap')}
            onChange={(perTx) => set({ perTx })}
          />
          <AmountInput
            label="In all, per session"
            hint="No session spends more in its lifetime. Empty: no limit."
            value={draft.total}
            unit={undefined}
            error={issue('max_native_total_cap')}
            onChange={(total) => set({ total })}
          />
        </div>
      </Card>
      <Card title="Where and to whom">
        <div className="flex flex-col gap-5">
          <div className="flex flex-col gap-2">
            <p className="text-sm font-medium">Blocked chains</p>
            <ChainPicks
              legend="Blocked chains"
              value={draft.blockedChains}
              onChange={(blockedChains) => set({ blockedChains })}
            />
            <p className={`text-xs ${issue('blocked_chains') === undefined ? 'text-muted' : 'text-bad'}`}>
              {issue('blocked_chains') ?? 'Ticked ones are refused to every agent.'}
            </p>
          </div>
          <Field
            label="Blocked recipients"
            hint="One address per line: no coin, token, call or approval goes there."
            error={issue('blocked_recipients')}
          >
            {(props) => (
              <TextArea
                {...props}
                rows={3}
                value={draft.blockedRecipients}
                onChange={(event) => set({ blockedRecipients: event.target.value })}
                placeholder="0x…"
                className="font-mono text-xs"
              />
            )}
          </Field>
        </div>
      </Card>
      <Card title="Tokens and signatures">
        <div className="flex flex-col gap-5">
          <ChoiceCards
            legend="Which tokens may move?"
            choices={tokenModes}
            value={draft.tokenMode}
            onChange={(tokenMode) => set({ tokenMode })}
          />
          <SwitchRow
            title="Agents may sign bare hashes"
            text="Nobody can tell what a hash stands for: with this on, no cap can be promised."
            isOn={draft.allowsRawHash}
            onChange={(allowsRawHash) => set({ allowsRawHash })}
          />
          <Field
            label="Longest session, in seconds"
            hint={lifetimeText(draft.lifetime)}
            error={issue('max_session_ttl_seconds')}
          >
            {(props) => (
              <TextInput
                {...props}
                type="number"
                min={60}
                max={3_153_600_000}
                step={1}
                placeholder="no limit"
                value={draft.lifetime}
                onChange={(event) => set({ lifetime: event.target.value })}
              />
            )}
          </Field>
        </div>
      </Card>
      <ErrorNotice error={save.error} />
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" look="primary" disabled={rules === undefined} isBusy={save.isPending}>
          Save the rules
        </Button>
        <span className="text-xs text-muted">
          {stored.updated_at === null ? (
            'Nobody has set any yet: the defaults hold.'
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
