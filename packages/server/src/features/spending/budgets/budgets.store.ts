import { textArray } from '../../../db/array-literal.ts'
import { batchArguments } from '../../../db/batch-arguments.ts'
import type { Queryable } from '../../../db/pool.ts'
import { type End, rowsOfWhole } from '../../../db/sure-rows.ts'
import type { PolicyVersions } from '../evaluation/policy-versions.ts'
import type { ReservationState, SessionCounter } from './session-counters.ts'

/** A signature's cost on one counter; `cap` is the lowest of its caps, null without any. */
export type CounterCost = { counter: string; amount: bigint; cap: bigint | null }

/**
 * A session's reservation for one signature (`digest`, hex of 32 bytes), asked for by `holders` requests; `isAgain`: by one that has it and
 * asks whether it still fits the caps.
 */
export type WantedReservation = PolicyVersions & {
  sessionId: string
  digest: string
  holders: number
  isAgain: boolean
  costs: readonly CounterCost[]
}

type CounterRow = { place: number; counter: string | null; spent: string; reserved: string }

/** The counter of a session's transactions. */
export const transactions = 'transactions'

/** Where nothing limits the count of transactions, none is reserved: the commit counts them in the session's tally. */
const isUncounted = ({ counter, cap }: CounterCost) => counter === transactions && cap === null

/** The statements of budgets. */
export const budgetsStore = {
  /** Reserves what fits. Returns by position the counters of what does not, and `stale` where a policy has changed since the evaluation. */
  async reserve(
    sql: Queryable,
    wanted: readonly WantedReservation[],
  ): Promise<Map<number, SessionCounter[] | 'stale'>> {
    const items = wanted.map((item) => ({
      ...item,
      counted: item.costs.filter((cost) => !isUncounted(cost)),
    }))
    const sums = sumsOf(items)
    const counted = sums.filter(({ counter }) => counter === transactions)
    const rows = await sql<(CounterRow & { isStale: boolean } & End)[]>`
      select place, counter_name as counter, spent_now as spent, reserved_now as reserved, is_stale as "isStale",
        null as "isEnd"
      from reserve_agent_spends(${writtenBatch(sql, { items, sums, counted })})
      union all select null, null, null, null, null, true`
    const refused = new Map<number, SessionCounter[] | 'stale'>()
    for (const { place, counter, spent, reserved, isStale } of rowsOfWhole(rows)) {
      const known = refused.get(place - 1)
      const counters = Array.isArray(known) ? known : []
      refused.set(place - 1, isStale ? 'stale' : counters)
      if (counter !== null) counters.push({ counter, spent: BigInt(spent), reserved: BigInt(reserved) })
    }
    return refused
  },

  /** Gives one reservation back. */
  async release(sql: Queryable, sessionId: string, digest: string): Promise<void> {
    await sql`select release_agent_spends(${sessionId}, ${Buffer.from(digest, 'hex')})`
  },

  /** Whether the counters include the signature, and with which amounts. */
  async reservationOf(
    sql: Queryable,
    sessionId: string,
    digest: string,
  ): Promise<{ reservation: ReservationState; amounts: ReadonlyMap<string, bigint> }> {
    const rows = await sql<{ isSpent: boolean; counters: string[]; amounts: string[] }[]>`
      select is_spent as "isSpent", counters, amounts::text[] as amounts from agent_reservations
      where session_id = ${sessionId} and digest = ${Buffer.from(digest, 'hex')}`
    const [row] = rows
    if (row === undefined) return { reservation: 'none', amounts: new Map() }
    const amounts = row.counters.map((counter, i) => [counter, BigInt(row.amounts[i] ?? 0)] as const)
    return { reservation: row.isSpent ? 'spent' : 'reserved', amounts: new Map(amounts) }
  },

  /** The counters of sessions, in the order of their names. */
  async ofSessions(
    sql: Queryable,
    ids: readonly string[],
  ): Promise<(SessionCounter & { sessionId: string })[]> {
    const rows = await sql<{ sessionId: string; counter: string; spent: string; reserved: string }[]>`
      select session_id as "sessionId", counter, sum(spent)::text as spent, sum(reserved)::text as reserved
      from (
        select session_id, counter, spent, reserved from agent_counters where session_id = any(${ids as string[]}::uuid[])
        union all
        select owner, ${transactions}, transactions, 0 from agent_tallies
        where owner = any(${ids as string[]}::uuid[]) and transactions > 0) c
      group by session_id, counter order by session_id, counter`
    return rows.map((row) => ({ ...row, spent: BigInt(row.spent), reserved: BigInt(row.reserved) }))
  },
}

type Item = WantedReservation & { counted: readonly CounterCost[] }
type Sum = CounterCost & { sessionId: string; item: number }

const costsOf = ({ counted }: Item, value: (cost: CounterCost) => string | null): string =>
  textArray(counted.map(value))

const writtenBatch = batchArguments<{ items: Item[]; sums: Sum[]; counted: Sum[] }>({
  items: {
    item_session: ['uuid[]', ({ sessionId }) => sessionId],
    item_digest: ['bytea[]', ({ digest }) => digest],
    item_holders: ['integer[]', ({ holders }) => holders],
    item_again: ['boolean[]', ({ isAgain }) => isAgain],
    item_counters: ['text[]', (item) => costsOf(item, ({ counter }) => counter)],
    item_amounts: ['text[]', (item) => costsOf(item, ({ amount }) => amount.toString())],
    item_caps: ['text[]', (item) => costsOf(item, ({ cap }) => cap?.toString() ?? null)],
    item_policy_version: ['integer[]', ({ policyVersion }) => policyVersion],
    item_rules_version: ['bigint[]', ({ rulesVersion }) => rulesVersion],
    item_agent_version: ['bigint[]', ({ agentVersion }) => agentVersion],
    item_uncounted: ['boolean[]', ({ costs }) => costs.some(isUncounted)],
  },
  sums: {
    sum_item: ['integer[]', ({ item }) => item],
    sum_counter: ['text[]', ({ counter }) => counter],
    sum_amount: ['numeric[]', ({ amount }) => amount],
    sum_cap: ['numeric[]', ({ cap }) => cap],
  },
  counted: { counted: ['uuid[]', ({ sessionId }) => sessionId] },
})

/** A batch's cost on each counter with the lowest cap: what the database moves where all of it is new and fits. */
function sumsOf(items: readonly Item[]): Sum[] {
  const sums = new Map<string, Sum>()
  for (const [i, { sessionId, counted }] of items.entries()) {
    for (const cost of counted) {
      const key = `${sessionId} ${cost.counter}`
      const sum = sums.get(key)
      if (sum === undefined) sums.set(key, { sessionId, item: i + 1, ...cost })
      else {
        sum.amount += cost.amount
        if (sum.cap === null || (cost.cap !== null && cost.cap < sum.cap)) sum.cap = cost.cap
      }
    }
  }
  return [...sums.values()]
}
