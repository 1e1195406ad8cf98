import type { AgentSession, EffectivePolicy, Spent } from '@symbolon/api'
import { addressKey, addressOfKey, networks, policyChains } from '@symbolon/networks'
import type { SessionCounter } from '../../spending/index.ts'

type Budget = Pick<
  AgentSession,
  'spent' | 'spent_total_native' | 'reserved_native' | 'remaining_native' | 'transactions'
>

const native = /^native (.+)\/\d+$/
const token = /^token (\S+) (.+)$/

/** A session's budget as the wire has it; the scalar fields show the native asset with the least left. */
export function sessionBudget(effective: EffectivePolicy, counters: readonly SessionCounter[]): Budget {
  const sorted = [...counters].sort((a, b) => (a.counter < b.counter ? -1 : 1))
  const natives = sorted.flatMap((counter) => {
    const symbol = native.exec(counter.counter)?.[1]
    return symbol === undefined
      ? []
      : [{ ...counter, symbol, remaining: left(totalOf(effective, symbol), counter) }]
  })
  const tokens = sorted.flatMap((counter) => {
    const [, chain, id] = token.exec(counter.counter) ?? []
    if (chain === undefined || id === undefined) return []
    return [
      {
        ...counter,
        symbol: `${chain} ${tokenName(chain, id)}`,
        remaining: left(tokenTotal(effective, chain, id), counter),
      },
    ]
  })
  const least = natives.reduce<(typeof natives)[number] | undefined>(
    (found, one) => (found === undefined || isLess(one, found) ? one : found),
    undefined,
  )
  const transactions = counters.find(({ counter }) => counter === 'transactions')
  return {
    spent: [...natives, ...tokens].map(
      ({ symbol, spent, reserved, remaining }): Spent => ({
        asset: symbol,
        spent: String(spent),
        reserved: String(reserved),
        remaining: remaining === null ? null : String(remaining),
      }),
    ),
    spent_total_native: String(least?.spent ?? 0n),
    reserved_native: String(least?.reserved ?? 0n),
    remaining_native:
      least === undefined
        ? effective.max_spend_total_native
        : least.remaining === null
          ? null
          : String(least.remaining),
    transactions: {
      count: Number(transactions?.spent ?? 0n),
      reserved: Number(transactions?.reserved ?? 0n),
      max: effective.max_tx_count,
    },
  }
}

/** The lowest total that is on a native asset. */
function totalOf(effective: EffectivePolicy, symbol: string): bigint | null {
  const own = effective.max_spend_total?.find(({ asset }) => asset === symbol)
  const [all, one] = [amountOf(effective.max_spend_total_native), amountOf(own?.max)]
  return all === null || (one !== null && one < all) ? one : all
}

/** The token's own name, as in `decision.spends` of a dry run; the counter's key is made to be compared. */
function tokenName(handle: string, id: string): string {
  const chain = networks.chain(handle)
  return chain === undefined ? id : addressOfKey(networks, id, chain)
}

const amountOf = (text: string | null | undefined): bigint | null => (text == null ? null : BigInt(text))

/** Never negative: a cap that was set later may be below the amount spent. */
function left(cap: bigint | null, { spent, reserved }: SessionCounter): bigint | null {
  if (cap === null) return null
  const remaining = cap - spent - reserved
  return remaining < 0n ? 0n : remaining
}

/** Less left; where nothing limits, more spent. */
function isLess(
  a: SessionCounter & { remaining: bigint | null },
  b: SessionCounter & { remaining: bigint | null },
): boolean {
  if (a.remaining === null || b.remaining === null)
    return a.remaining === b.remaining ? a.spent > b.spent : b.remaining === null
  return a.remaining < b.remaining
}

function tokenTotal(effective: EffectivePolicy, chain: string, id: string): bigint | null {
  const group = policyChains(networks, { handle: chain })
  const key = addressKey(networks, id)
  const caps = (effective.allowed_tokens ?? [])
    .filter((one) => group.includes(one.chain) && addressKey(networks, one.token) === key)
    .flatMap((one) => amountOf(one.max_total) ?? [])
  return caps.reduce<bigint | null>((least, cap) => (least === null || cap < least ? cap : least), null)
}
