import type { ReactNode } from 'react'
import { issueOf } from '../data/explain-error.ts'
import { Field, TextArea, TextInput } from '../ui/field.tsx'
import { SwitchRow } from '../ui/switch-row.tsx'
import { AmountInput } from './amount-input.tsx'
import { ChainPicks } from './chain-picks.tsx'
import { ListPart } from './list-part.tsx'
import { type PolicyDraft, wordsOf } from './policy-draft.ts'
import { ContractRows, TokenRows } from './token-rows.tsx'
import { unitOf } from './units.ts'
import { useChains } from './use-chains.ts'

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
  const unit = unitOf(useChains(), draft.chains)
  const set = (change: Partial<PolicyDraft>) => onChange({ ...draft, ...change })
  const issue = (field: string) => issueOf(error, `policy.${field}`)
  return (
    <div className="flex flex-col gap-6">
      <Group title="Where and how">
        <ListPart
          title="Chains"
          open="All"
          closed="Only these"
          isListed={draft.chains !== undefined}
          error={issue('allowed_chains')}
          about="With chains of one coin, amounts below can be typed in that coin."
          warning={draft.chains?.length === 0 ? 'None is ticked: the agent can sign nothing.' : undefined}
          onChange={(isListed) => set({ chains: isListed ? [] : undefined })}
        >
          <ChainPicks legend="Chains" value={draft.chains ?? []} onChange={(chains) => set({ chains })} />
        </ListPart>
        <SwitchRow
          title="Send transactions"
          text="Everything that becomes a transaction: payments, token transfers, calls, operations."
          isOn={draft.methods.sendTransaction}
          onChange={(sendTransaction) => set({ methods: { ...draft.methods, sendTransaction } })}
        />
        <SwitchRow
          title="Sign messages"
          text="Texts and typed data. What moves value in disguise is judged or refused all the same."
          isOn={draft.methods.signMessage}
          onChange={(signMessage) => set({ methods: { ...draft.methods, signMessage } })}
        />
      </Group>
      <Group title="How much" text="Of each native coin by itself: ETH and BTC are never added up.">
        <ListPart
          title="In all"
          open="No limit"
          closed="At most"
          isListed={draft.total !== undefined}
          about="The most that may leave in the lifetime of a session."
          warning={
            draft.total === undefined
              ? 'It may spend all that its wallet has of each native coin.'
              : undefined
          }
          onChange={(isListed) => set({ total: isListed ? '' : undefined })}
        >
          <AmountInput
            label="In all"
            hint="What it may lose at worst."
            isRequired
            value={draft.total ?? ''}
            unit={unit}
            error={issue('max_spend_total_native')}
            onChange={(total) => set({ total })}
          />
        </ListPart>
        <AmountInput
          label="Per transaction"
          hint="The most that one transaction may send. Empty: no limit."
          value={draft.perTx}
          unit={unit}
          error={issue('max_spend_per_tx_native')}
          onChange={(perTx) => set({ perTx })}
        />
        <AmountInput
          label="Fee per transaction"
          hint="Fees count here, not in the caps above. Empty: no limit."
          value={draft.fee}
          unit={unit}
          error={issue('max_fee_per_tx_native')}
          onChange={(fee) => set({ fee })}
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Number of transactions" hint="Empty: no limit." error={issue('max_tx_count')}>
            {(props) => (
              <TextInput
                {...props}
                type="number"
                min={0}
                max={1_000_000_000}
                step={1}
                placeholder="no limit"
                value={draft.count}
                onChange={(event) => set({ count: event.target.value })}
              />
            )}
          </Field>
          <Field label="Ends" hint="Your local time. Empty: never." error={issue('expires_at')}>
            {(props) => (
              <TextInput
                {...props}
                type="datetime-local"
                value={draft.expires}
                onChange={(event) => set({ expires: event.target.value })}
              />
            )}
          </Field>
        </div>
      </Group>
      <Group title="To whom and what">
        <ListPart
          title="Recipients"
          open="Anybody"
          closed="Only these"
          isListed={draft.recipients !== undefined}
          error={issue('allowed_recipients')}
          about="Of coins and of tokens: who gets them in the end, not the token’s contract."
          warning={recipientsWarning(draft.recipients)}
          onChange={(isListed) => set({ recipients: isListed ? '' : undefined })}
        >
          <TextArea
            rows={3}
            aria-label="Allowed recipients"
            placeholder="One address per line"
            value={draft.recipients ?? ''}
            onChange={(event) => set({ recipients: event.target.value })}
            className="font-mono text-xs"
          />
        </ListPart>
        <ListPart
          title="Tokens"
          open="Not set here"
          closed="Only these"
          isListed={draft.tokens !== undefined}
          error={issue('allowed_tokens')}
          about={
            draft.tokens === undefined
              ? 'The session’s own list counts. Listed nowhere: no token, unless your rules let any token move.'
              : 'Caps are in the token’s smallest unit (1 USDC is 1000000). An empty list allows none.'
          }
          onChange={(isListed) => set({ tokens: isListed ? [] : undefined })}
        >
          <TokenRows rows={draft.tokens ?? []} onChange={(tokens) => set({ tokens })} />
        </ListPart>
        <ListPart
          title="Contracts"
          open="Not set here"
          closed="Only these"
          isListed={draft.contracts !== undefined}
          error={issue('allowed_contracts')}
          about={
            draft.contracts === undefined
              ? 'The session’s own list counts. Listed nowhere: no contract may be called.'
              : 'Calls beyond payments and token transfers. A listed contract may get coins with a call.'
          }
          onChange={(isListed) => set({ contracts: isListed ? [] : undefined })}
        >
          <ContractRows rows={draft.contracts ?? []} onChange={(contracts) => set({ contracts })} />
        </ListPart>
      </Group>
    </div>
  )
}

function recipientsWarning(recipients: string | undefined): string | undefined {
  if (recipients === undefined) return 'Whoever gets it to send something is paid.'
  return wordsOf(recipients).length === 0 ? 'The list is empty: nobody can be paid.' : undefined
}

function Group({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
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
