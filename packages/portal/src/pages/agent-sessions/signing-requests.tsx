import type { AgentEvent } from '@symbolon/sdk/portal'
import type { ReactNode } from 'react'
import { amountText, unitOfSymbol } from '../../policy/units.ts'
import { useChains } from '../../policy/use-chains.ts'
import { Badge } from '../../ui/badge.tsx'
import { Mono } from '../../ui/code.tsx'
import { Time } from '../../ui/time.tsx'
import { amountsOf, type Limits } from './amounts-of.ts'
import { reasonOf } from './reasons.ts'

const looks = { allowed: 'good', rejected: 'bad', error: 'warn' } as const
const layers = { organization: 'your rules', agent: 'the agent’s policy', session: 'the session' }
const methods: Record<string, string> = { signMessage: 'Message', sendTransaction: 'Transaction' }

/** The outcomes of signing requests with their names. */
export const signingOutcomes = [
  ['allowed', 'Signed'],
  ['rejected', 'Refused'],
  ['error', 'Failed'],
] as const

/** Signing requests, newest first. A refusal says why and what to change, and with `limits` by how much. */
export function SigningRequests({
  events,
  empty,
  limits,
}: {
  events: readonly AgentEvent[] | undefined
  empty: string
  limits?: Limits
}) {
  if (events === undefined) return <div className="pulse h-16 rounded bg-sunken" aria-busy="true" />
  if (events.length === 0) return <p className="text-sm text-pretty text-muted">{empty}</p>
  return (
    <ul className="-my-1 divide-y divide-line">
      {events.map((event) => (
        <SigningRequest key={event.id} event={event} limits={limits} />
      ))}
    </ul>
  )
}

function SigningRequest({ event, limits }: { event: AgentEvent; limits: Limits | undefined }) {
  const { outcome, method, chain, value, asset, target, tx_hash, reason_code, layer, timestamp } = event
  const chains = useChains()
  const reason = reason_code === null ? undefined : reasonOf(reason_code)
  const unit = asset === null || asset.includes(' ') ? undefined : unitOfSymbol(chains, asset)
  const amounts = limits === undefined ? undefined : amountsOf(event, limits, unit)
  return (
    <li className="flex flex-col gap-1 py-3 text-sm">
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge look={looks[outcome]}>{signingOutcomes.find(([one]) => one === outcome)?.[1]}</Badge>
        <span className="font-medium">{method === null ? 'Request' : (methods[method] ?? method)}</span>
        {value !== null && BigInt(value) > 0n && (
          <span className="min-w-0 wrap-anywhere tabular-nums">{amountText(value, unit)}</span>
        )}
        {chain !== null && <span className="text-muted">on {chain}</span>}
        <span className="ml-auto text-xs text-muted">
          <Time at={timestamp} />
        </span>
      </span>
      {target !== null && <Detail>to {<Mono text={target} what="recipient" isShort />}</Detail>}
      {tx_hash !== null && (
        <Detail>transaction {<Mono text={tx_hash} what="transaction hash" isShort />}</Detail>
      )}
      {reason !== undefined && (
        <span className="text-pretty wrap-anywhere">
          {amounts ?? reason.what} <span className="text-muted">{reason.fix}</span>
        </span>
      )}
      {reason_code !== null && (
        <span className="text-xs text-muted">
          <code className="font-mono">{reason_code}</code>
          {layer !== null && `, a limit of ${layers[layer]}`}
        </span>
      )}
    </li>
  )
}

function Detail({ children }: { children: ReactNode }) {
  return <span className="flex min-w-0 items-center gap-1.5 text-xs text-muted">{children}</span>
}
