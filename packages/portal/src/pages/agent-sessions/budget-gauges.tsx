import type { AgentSession, Spent } from '@symbolon/sdk/portal'
import { amountText, briefAmount, type Chain, type Unit, unitOf, unitOfSymbol } from '../../policy/units.ts'
import { useChains } from '../../policy/use-chains.ts'
import { count } from '../../ui/format.ts'

/** One line of a budget: what is spent, reserved and left; without a limit `left` is undefined. */
type Line = {
  name: string
  spent: bigint
  reserved: bigint
  left: bigint | undefined
  text: (amount: bigint) => string
  /** The amount as a text that fits a list. */
  brief?: (amount: bigint) => string
}

/** What a session has spent, reserved and left: of each native coin, each token, and its number of transactions. */
export function BudgetGauges({ session }: { session: AgentSession }) {
  const lines = linesOf(session, useChains())
  return (
    <ul className="flex flex-col gap-4">
      {lines.map((line) => (
        <li key={line.name} className="flex min-w-0 flex-col gap-1.5">
          <span className="flex flex-wrap items-baseline justify-between gap-x-4 text-sm">
            <span className="min-w-0 truncate font-medium" title={line.name}>
              {line.name}
            </span>
            <span className="min-w-0 text-xs wrap-anywhere text-muted tabular-nums">
              {line.left === undefined
                ? 'No limit'
                : `of ${line.text(line.spent + line.reserved + line.left)}`}
            </span>
          </span>
          <Bar line={line} />
          <dl className="flex flex-wrap gap-x-5 gap-y-1 text-xs tabular-nums">
            <Part name="spent" mark="bg-accent" text={line.text(line.spent)} />
            <Part name="reserved" mark="bg-warn" text={line.text(line.reserved)} />
            {line.left !== undefined && (
              <Part name="left" mark="border border-strong bg-sunken" text={line.text(line.left)} />
            )}
          </dl>
        </li>
      ))}
    </ul>
  )
}

/** The budget line with the least left, for lists. */
export function BudgetGlance({ session }: { session: AgentSession }) {
  const line = linesOf(session, useChains()).reduce((least, one) => (share(one) > share(least) ? one : least))
  const brief = line.brief ?? line.text
  return (
    <span className="flex w-36 max-w-full flex-col gap-1.5">
      <span className="truncate text-xs tabular-nums">
        {line.left === undefined
          ? `${brief(line.spent)}${line.name === 'Transactions' ? ' transactions' : ''}, no limit`
          : `${brief(line.left)}${line.name === 'Transactions' ? ' transactions' : ''} left`}
      </span>
      <Bar line={line} />
    </span>
  )
}

function Bar({ line }: { line: Line }) {
  const { name, spent, reserved, left, text } = line
  const words = `${name}: ${text(spent)} spent, ${text(reserved)} reserved, ${left === undefined ? 'no limit' : `${text(left)} left`}`
  return (
    <span
      role="img"
      aria-label={words}
      title={words}
      className="flex h-2 w-full overflow-hidden rounded-full border border-line bg-sunken"
    >
      <span className="bg-accent" style={{ width: percent(spent, line) }} />
      <span className="bg-warn" style={{ width: percent(reserved, line) }} />
    </span>
  )
}

function Part({ name, mark, text }: { name: string; mark: string; text: string }) {
  return (
    <div className="flex min-w-0 items-center gap-1.5">
      <span className={`size-2 shrink-0 rounded-full ${mark}`} aria-hidden="true" />
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 wrap-anywhere">{text}</dd>
    </div>
  )
}

/** At least 3 px for any amount, so that it stays visible. */
function percent(part: bigint, { spent, reserved, left }: Line): string {
  if (part === 0n || left === undefined) return '0%'
  return `max(3px, ${Number((part * 1_000n) / (spent + reserved + left)) / 10}%)`
}

function share({ spent, reserved, left }: Line): number {
  const whole = spent + reserved + (left ?? 0n)
  if (left === undefined || whole === 0n) return left === undefined ? -1 : 1
  return Number(((spent + reserved) * 1_000n) / whole)
}

function linesOf(session: AgentSession, chains: readonly Chain[]): Line[] {
  const { spent, max_spend_total_native: cap, allowed_chains, transactions } = session
  const assets = spent.map((row) => assetLine(row, chains))
  const hasNative = spent.some(({ asset }) => !asset.includes(' '))
  const unit = unitOf(chains, allowed_chains ?? undefined)
  const untouched: Line = {
    name: unit?.symbol ?? 'Each native coin',
    spent: 0n,
    reserved: 0n,
    left: cap === null ? undefined : BigInt(cap),
    text: inUnit(unit, amountText),
    brief: inUnit(unit, briefAmount),
  }
  return [
    ...(hasNative ? [] : [untouched]),
    ...assets,
    {
      name: 'Transactions',
      spent: BigInt(transactions.count),
      reserved: BigInt(transactions.reserved),
      left:
        transactions.max === null
          ? undefined
          : BigInt(Math.max(0, transactions.max - transactions.count - transactions.reserved)),
      text: (amount) => count(Number(amount)),
    },
  ]
}

function assetLine({ asset, spent, reserved, remaining }: Spent, chains: readonly Chain[]): Line {
  const [chain, token] = asset.split(' ')
  const amounts = {
    spent: BigInt(spent),
    reserved: BigInt(reserved),
    left: remaining === null ? undefined : BigInt(remaining),
  }
  if (token !== undefined)
    return {
      ...amounts,
      name: `Token ${short(token)} on ${chain}`,
      text: (amount) => `${amountText(String(amount), undefined)} units`,
    }
  const unit = unitOfSymbol(chains, asset)
  return { ...amounts, name: asset, text: inUnit(unit, amountText), brief: inUnit(unit, briefAmount) }
}

const inUnit = (unit: Unit | undefined, format: typeof amountText) => (amount: bigint) =>
  format(String(amount), unit)

const short = (text: string) => (text.length > 18 ? `${text.slice(0, 8)}…${text.slice(-6)}` : text)
