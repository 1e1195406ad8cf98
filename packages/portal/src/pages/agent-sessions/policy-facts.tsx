import type { EffectivePolicy } from '@symbolon/sdk/portal'
import type { ReactNode } from 'react'
import { amountText, unitOf } from '../../policy/units.ts'
import { useChains } from '../../policy/use-chains.ts'
import { Badge } from '../../ui/badge.tsx'
import { count } from '../../ui/format.ts'
import { ExactTime } from '../../ui/time.tsx'

/** What holds for a session: the strictest of its layers. What a layer made stricter than was asked for is marked. */
export function PolicyFacts({ policy, clipped }: { policy: EffectivePolicy; clipped: readonly string[] }) {
  const unit = unitOf(useChains(), policy.allowed_chains ?? undefined)
  const amount = (text: string | null) =>
    text === null
      ? 'no limit'
      : unit === undefined
        ? `${amountText(text, undefined)} of the smallest unit`
        : amountText(text, unit)
  const facts: readonly (readonly [field: keyof EffectivePolicy, name: string, value: ReactNode])[] = [
    ['max_spend_per_tx_native', 'Per transaction', amount(policy.max_spend_per_tx_native)],
    ['max_spend_total_native', 'In all', amount(policy.max_spend_total_native)],
    ['max_fee_per_tx_native', 'Fee per transaction', amount(policy.max_fee_per_tx_native)],
    ['max_tx_count', 'Transactions', policy.max_tx_count === null ? 'no limit' : count(policy.max_tx_count)],
    [
      'allowed_methods',
      'May',
      (policy.allowed_methods ?? ['sendTransaction', 'signMessage'])
        .map((method) => (method === 'signMessage' ? 'sign messages' : 'send transactions'))
        .join(', ') || 'nothing',
    ],
    ['allowed_chains', 'Chains', <Texts key="chains" texts={policy.allowed_chains} all="all" />],
    [
      'allowed_recipients',
      'Recipients',
      <Texts key="recipients" texts={policy.allowed_recipients} all="anybody" />,
    ],
    [
      'allowed_tokens',
      'Tokens',
      <Texts
        key="tokens"
        all="any, without caps"
        texts={
          policy.allowed_tokens?.map(
            ({ chain, token, max_per_tx, max_total }) =>
              `${token} on ${chain}: ${cap(max_per_tx)} each, ${cap(max_total)} in all`,
          ) ?? null
        }
      />,
    ],
    [
      'allowed_contracts',
      'Contracts',
      <Texts
        key="contracts"
        all=""
        texts={policy.allowed_contracts.map(
          ({ chain, address, selectors }) =>
            `${address} on ${chain}${selectors === undefined ? '' : `: ${selectors.join(' ')}`}`,
        )}
      />,
    ],
    [
      'expires_at',
      'Ends',
      policy.expires_at === null ? 'never' : <ExactTime key="ends" at={policy.expires_at} />,
    ],
    ['blocked_chains', 'Blocked chains', <Texts key="bc" texts={policy.blocked_chains} all="" />],
    ['blocked_recipients', 'Blocked recipients', <Texts key="br" texts={policy.blocked_recipients} all="" />],
    ['allow_raw_hash', 'Bare hashes', policy.allow_raw_hash ? 'may be signed' : 'refused'],
  ]
  return (
    <dl className="flex flex-col divide-y divide-line text-sm">
      {facts.map(([field, name, value]) => (
        <div key={field} className="flex min-h-9 flex-wrap items-center gap-x-4 gap-y-1 py-1.5">
          <dt className="w-36 shrink-0 text-muted">{name}</dt>
          <dd className="flex min-w-0 flex-1 flex-wrap items-center gap-2 wrap-anywhere max-sm:basis-full">
            {value}
            {clipped.includes(field) && <Badge look="warn">clipped</Badge>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Texts({ texts, all }: { texts: readonly string[] | null; all: string }) {
  if (texts === null) return all
  if (texts.length === 0) return 'none'
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
