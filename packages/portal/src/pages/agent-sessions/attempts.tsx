import type { AgentEvent } from '@symbolon/sdk/portal'
import { amountText, unitOfSymbol } from '../../policy/units.ts'
import { useChains } from '../../policy/use-chains.ts'
import { Badge } from '../../ui/badge.tsx'
import { Mono } from '../../ui/code.tsx'
import { Time } from '../../ui/time.tsx'
import { amountsOf, type Limits } from './amounts-of.ts'
import { reasonOf } from './reasons.ts'

const outcomes = {
  allowed: ['good', 'Signed'],
  rejected: ['bad', 'Refused'],
  error: ['warn', 'Failed'],
} as const

const layers = { organization: 'your rules', agent: 'the agent', session: 'the session' }
const methods: Record<string, string> = { signMessage: 'Message', sendTransaction: 'Transaction' }

/** Attempts to sign, newest first; a refusal says why and what to change; with `limits` by how much. */
export function Attempts({
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
        <Attempt key={event.id} event={event} limits={limits} />
      ))}
    </ul>
  )
}

function Attempt({ event, limits }: { event: AgentEvent; limits: Limits | undefined }) {
  const { outcome, method, chain, value, asset, target, tx_hash, reason_code, layer, timestamp } = event
  const chains = useChains()
  const [look, text] = outcomes[outcome]
  const reason = reason_code === null ? undefined : reasonOf(reason_code)
  const unit = asset === null || asset.includes(' ') ? undefined : unitOfSymbol(chains, asset)
  const amounts = limits === undefined ? undefined : amountsOf(event, limits, unit)
  return (
    <li className="flex flex-col gap-1 py-3 text-sm">
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge look={look}>{text}</Badge>
        <span className="font-medium">{method === null ? 'A request' : (methods[method] ?? method)}</span>
        {value !== null && BigInt(value) > 0n && (
          <span className="min-w-0 wrap-anywhere tabular-nums">{amountText(value, unit)}</span>
        )}
        {chain !== null && <span className="text-muted">on {chain}</span>}
        <span className="ml-auto text-xs text-muted">
          <Time at={timestamp} />
        </span>
      </span>
      {target !== null && (
        <span className="flex min-w-0 items-center gap-1.5 text-xs text-muted">
          to <Mono text={target} what="recipient" isShort />
        </span>
      )}
      {tx_hash !== null && (
        <span className="flex min-w-0 items-center gap-1.5 text-xs text-muted">
          transaction <Mono text={tx_hash} what="transaction hash" isShort />
        </span>
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
