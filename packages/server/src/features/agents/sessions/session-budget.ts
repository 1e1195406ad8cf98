import type { AgentSession, EffectivePolicy, Spent } from '@symbolon/api'
import { addressKey, addressOfKey, assetKey, isNativeAsset, networks, policyChains } from '@symbolon/networks'
import type { SessionCounter } from '../../spending/index.ts'

type AllowedToken = NonNullable<EffectivePolicy['allowed_tokens']>[number]

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
        symbol: `${chain} ${tokenName(effective, chain, id)}`,
        remaining: left(leastTotal(entriesOf(effective, chain, id)), counter),
      },
    ]
  })
  const tightest = natives.reduce<(typeof natives)[number] | undefined>(
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
    spent_total_native: String(tightest?.spent ?? 0n),
    reserved_native: String(tightest?.reserved ?? 0n),
    remaining_native:
      tightest === undefined
        ? effective.max_spend_total_native
        : tightest.remaining === null
          ? null
          : String(tightest.remaining),
    transactions: {
      count: Number(transactions?.spent ?? 0n),
      reserved: Number(transactions?.reserved ?? 0n),
      max: transactionsMax(effective),
    },
  }
}

/** How many transactions a session may sign in all; null is no limit. */
export const transactionsMax = (effective: EffectivePolicy): number | null => effective.max_tx_count

/** The lowest total that is on a native asset, as such or as a token. */
function totalOf(effective: EffectivePolicy, symbol: string): bigint | null {
  const own = effective.max_spend_total?.filter(({ asset }) => asset === symbol) ?? []
  const listed = (effective.allowed_tokens ?? []).filter(
    ({ chain, token }) =>
      networks.chain(chain)?.nativeAsset.symbol === symbol && isNativeAsset(networks, chain, token),
  )
  return least([
    amountOf(effective.max_spend_total_native),
    ...own.map(({ max }) => amountOf(max)),
    leastTotal(listed),
  ])
}

/** The token's own name, as in `decision.spends` of a dry run; the counter's key is made to be compared. */
function tokenName(effective: EffectivePolicy, handle: string, id: string): string {
  const called = entriesOf(effective, handle, id).find(isCalled)
  if (called !== undefined) return called.token
  const chain = networks.chain(handle)
  return chain === undefined ? id : addressOfKey(networks, id, chain)
}

/** Whether an entry has a name that its chain alone makes another one of, to compare by. */
function isCalled({ chain, token }: AllowedToken): boolean {
  return addressKey(networks, token) === token && assetKey(networks, chain, token) !== token
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

/** The entries of a token, however they spell it. */
function entriesOf(effective: EffectivePolicy, handle: string, id: string): readonly AllowedToken[] {
  const group = policyChains(networks, { handle })
  const key = assetKey(networks, handle, id)
  return (effective.allowed_tokens ?? []).filter(
    ({ chain, token }) => group.includes(chain) && assetKey(networks, chain, token) === key,
  )
}

const leastTotal = (entries: readonly AllowedToken[]) =>
  least(entries.map(({ max_total }) => amountOf(max_total)))

function least(amounts: readonly (bigint | null)[]): bigint | null {
  return amounts.reduce<bigint | null>(
    (found, one) => (one === null || (found !== null && found <= one) ? found : one),
    null,
  )
}
