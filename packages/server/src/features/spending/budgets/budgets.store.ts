import { nullableTextArray, plainArray, textArray } from '../../../db/array-literal.ts'
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

const separator = '\x1f'
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
    const counted = wanted.map(({ costs }) => costs.filter((cost) => !isUncounted(cost)))
    const literal = (value: (cost: CounterCost) => string | null) =>
      textArray(counted.map((costs) => nullableTextArray(costs.map(value))))
    const sums = sumsOf(wanted, counted)
    const columns = [
      // No longer read.
      '{}',
      plainArray(wanted.map(({ sessionId }) => sessionId)),
      textArray(wanted.map(({ digest }) => `\\x${digest}`)),
      plainArray(wanted.map(({ holders }) => holders)),
      plainArray(wanted.map(({ isAgain }) => isAgain)),
      literal(({ counter }) => counter),
      literal(({ amount }) => amount.toString()),
      literal(({ cap }) => cap?.toString() ?? null),
      plainArray(wanted.map(({ policyVersion }) => policyVersion)),
      plainArray(wanted.map(({ rulesVersion }) => rulesVersion)),
      plainArray(wanted.map(({ agentVersion }) => agentVersion ?? undefined)),
      plainArray(wanted.map(({ costs }) => costs.some(isUncounted))),
      plainArray(sums.map(({ item }) => item)),
      textArray(sums.map(({ counter }) => counter)),
      plainArray(sums.map(({ amount }) => amount.toString())),
      plainArray(sums.map(({ cap }) => cap?.toString())),
      plainArray(sums.flatMap(({ sessionId, counter }) => (counter === transactions ? [sessionId] : []))),
    ].join(separator)
    const rows = await sql<(CounterRow & { isStale: boolean } & End)[]>`
      select place, counter_name as counter, spent_now as spent, reserved_now as reserved, is_stale as "isStale",
        null as "isEnd"
      from reserve_agent_spends(${columns})
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

type Sum = CounterCost & { sessionId: string; item: number }

/** A batch's cost on each counter with the lowest cap: what the database moves where all of it is new and fits. */
function sumsOf(wanted: readonly WantedReservation[], counted: readonly (readonly CounterCost[])[]): Sum[] {
  const sums = new Map<string, Sum>()
  for (const [i, { sessionId }] of wanted.entries()) {
    for (const cost of counted[i] ?? []) {
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
