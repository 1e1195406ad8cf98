import { policyFields } from '@symbolon/policy/fields'
import type { EffectivePolicy } from '@symbolon/sdk/portal'
import type { ReactNode } from 'react'
import { amountText, type Unit, unitOf } from '../../policy/units.ts'
import { useChains } from '../../policy/use-chains.ts'
import { Badge } from '../../ui/badge.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { count } from '../../ui/format.ts'
import { ExactTime } from '../../ui/time.tsx'

type Shown = Exclude<(typeof policyFields)[number], { shownIn: string | null }>

const shownFields = policyFields.filter((field): field is Shown => !('shownIn' in field))

/** An effective policy. Fields that a layer made stricter than the session asked for are marked. */
export function PolicyFacts({ policy, clipped }: { policy: EffectivePolicy; clipped: readonly string[] }) {
  const unit = unitOf(useChains(), policy.allowed_chains ?? undefined)
  return (
    <Facts>
      {shownFields.map((field) => (
        <Fact key={field.name} name={field.label}>
          {factOf(field, policy, unit)}
          {clipped.includes(field.name) && <Badge look="warn">Reduced</Badge>}
        </Fact>
      ))}
    </Facts>
  )
}

function factOf(field: Shown, policy: EffectivePolicy, unit: Unit | undefined): ReactNode {
  switch (field.kind) {
    case 'amount':
      return amount(policy[field.name], unit)
    case 'count': {
      const max = policy[field.name]
      return max === null ? 'No limit' : count(max)
    }
    case 'expiry': {
      const at = policy[field.name]
      return at === null ? 'Never' : <ExactTime at={at} />
    }
    case 'flag':
      return policy[field.name] ? 'Yes' : 'No'
    case 'mode':
      return field.words[policy[field.name]].title
    case 'method-list':
      return methods(field, policy[field.name])
    case 'allow-list':
      return <Texts texts={policy[field.name]} all={field.choice.everything} />
    case 'domain-list':
      return <Texts texts={policy[field.name]} all="Any" />
    case 'asset-caps':
      return <Texts texts={policy[field.name]?.map(capText) ?? null} all="No limit" />
    case 'deny-list':
      return <Texts texts={policy[field.name]} all="" />
    case 'token-list':
      return <Texts texts={policy[field.name]?.map(tokenText) ?? null} all={field.choice.everything} />
    case 'contract-list':
      return <Texts texts={policy[field.name].map(contractText)} all="" />
  }
}

function amount(text: string | null, unit: Unit | undefined): string {
  if (text === null) return 'No limit'
  return unit === undefined ? `${amountText(text, undefined)} in the smallest unit` : amountText(text, unit)
}

function methods(
  { words }: Extract<Shown, { kind: 'method-list' }>,
  allowed: EffectivePolicy['allowed_methods'],
): string {
  const titles = Object.entries(words).flatMap(([word, { title }]) =>
    allowed === null || allowed.some((method) => method === word) ? [title] : [],
  )
  return titles.join(', ') || 'Nothing'
}

type Tokens = NonNullable<EffectivePolicy['allowed_tokens']>

const tokenText = ({ chain, token, max_per_tx, max_total }: Tokens[number]) =>
  `${token} on ${chain}: ${cap(max_per_tx)} per transaction, ${cap(max_total)} in total`

const contractText = ({ chain, address, selectors }: EffectivePolicy['allowed_contracts'][number]) =>
  `${address} on ${chain}${selectors === undefined ? '' : `: ${selectors.join(' ')}`}`

type AssetCaps = NonNullable<EffectivePolicy['max_spend_total']>

const capText = ({ asset, max }: AssetCaps[number]) => `${asset}: ${amountText(max, undefined)} units`

function Texts({ texts, all }: { texts: readonly string[] | null; all: string }) {
  if (texts === null) return all
  if (texts.length === 0) return 'None'
  return (
    <ul className="flex min-w-0 flex-col gap-0.5">
      {texts.map((text) => (
        <li key={text} className="font-mono text-xs wrap-anywhere">
          {text}
        </li>
      ))}
    </ul>
  )
}

const cap = (text: string | undefined) =>
  text === undefined ? 'no limit' : `${amountText(text, undefined)} units`
