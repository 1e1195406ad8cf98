import type { Refusal, Spend } from '@symbolon/policy'
import { coalesce } from '../../../db/coalesce.ts'
import type { Queryable } from '../../../db/pool.ts'
import type { PolicyVersions } from '../evaluation/policy-versions.ts'
import { budgetsStore, type CounterCost, type WantedReservation } from './budgets.store.ts'
import { overCap } from './over-cap.ts'
import { lowestCap, type ReservationState, type SessionCounter, sumWith } from './session-counters.ts'

/** The costs of a signature (`digest`, hex) of a session. */
export type WantedSpend = { sessionId: string; digest: string; spends: readonly Spend[] }

/** Reserves what signatures cost: exact, however many ask at the same time. Amounts in the smallest unit. */
export type Budgets = {
  /**
   * Reserves the costs of a signature, or returns the refusal of the cap they would exceed. Costs that are reserved or spent for the same
   * bytes are not counted again. `isAgain`: they are reserved, and checked against the caps that apply now. `stale`: rules or policy have
   * changed since the evaluation; nothing is reserved.
   */
  reserve(
    wanted: WantedSpend & { under: PolicyVersions; isAgain?: boolean },
  ): Promise<Refusal | 'stale' | undefined>
}

/** A session's budget as a signature would find it: the cap that it would exceed, the counters, and whether they include it. */
export type BudgetCheck = {
  refusal: Refusal | undefined
  counters: readonly SessionCounter[]
  reservation: ReservationState
}

type Wanted = Parameters<Budgets['reserve']>[0]

const wantedMax = 256

/** Makes the budgets of a database; concurrent reservations are one statement. */
export function budgets(sql: Queryable): Budgets {
  const reserve = coalesce<Wanted, Refusal | 'stale' | undefined>({
    run: (batch) => reserveAll(sql, batch),
    batchMax: wantedMax,
    inFlightMax: 1,
  })
  // Messages cost nothing: the database need not be asked.
  return { reserve: async (wanted) => (wanted.spends.length === 0 ? undefined : reserve(wanted)) }
}

async function reserveAll(sql: Queryable, batch: Wanted[]): Promise<(Refusal | 'stale' | undefined)[]> {
  const wanted = new Map<string, WantedReservation & { first: Wanted }>()
  const keys = batch.map((one) => {
    const { policyVersion, rulesVersion, agentVersion } = one.under
    const versions = `${policyVersion} ${rulesVersion} ${agentVersion}`
    const key = `${one.sessionId} ${one.digest} ${versions} ${one.isAgain === true}`
    const same = wanted.get(key)
    if (same === undefined) wanted.set(key, { ...reservationOf(one), first: one })
    else same.holders++
    return key
  })
  const refused = await budgetsStore.reserve(sql, [...wanted.values()])
  const answers = new Map<string, Refusal | 'stale'>()
  for (const [i, [key, { first }]] of [...wanted].entries()) {
    const counters = refused.get(i)
    if (counters === 'stale') answers.set(key, counters)
    else if (counters !== undefined) answers.set(key, overCap(first.spends, counters, first.isAgain === true))
  }
  return keys.map((key) => answers.get(key))
}

/** Checks a signature's costs against the budget as it is now; nothing is reserved. */
export async function checkBudget(
  sql: Queryable,
  { sessionId, digest, spends }: WantedSpend,
): Promise<BudgetCheck> {
  const counters = (await countersOf(sql, [sessionId])).get(sessionId) ?? []
  const { reservation, amounts } =
    spends.length > 0 ? await budgetsStore.reservationOf(sql, sessionId, digest) : nothingReserved
  // A cap that was set since counts more of it.
  if (reservation === 'reserved') for (const spend of spends) addMore(counters, spend, amounts)
  const isExceeded = spends.some((spend) => {
    const cap = lowestCap(spend)
    return cap !== null && sumWith(spend, counters, reservation !== 'none') > cap
  })
  // What is out stays out; what is reserved has to fit the caps of now.
  const refusal =
    isExceeded && reservation !== 'spent' ? overCap(spends, counters, reservation === 'reserved') : undefined
  return { refusal, counters, reservation }
}

/** Gives a reservation back: only for a request whose signature was certainly not made, or never leaves. */
export async function releaseBudget(
  sql: Queryable,
  { sessionId, digest, spends }: WantedSpend,
): Promise<void> {
  if (spends.length > 0) await budgetsStore.release(sql, sessionId, digest)
}

/** What a session spent of the counters of a signature before it; signed again, the signature costs nothing, and before is the first time. */
export async function spentBefore(
  sql: Queryable,
  { sessionId, digest, spends }: WantedSpend,
): Promise<{ counter: string; amount: bigint }[]> {
  if (spends.length === 0) return []
  const counters = (await countersOf(sql, [sessionId])).get(sessionId) ?? []
  const { reservation, amounts } = await budgetsStore.reservationOf(sql, sessionId, digest)
  return spends.map(({ counter }) => {
    const spent = counters.find((one) => one.counter === counter)?.spent ?? 0n
    const own = reservation === 'spent' ? (amounts.get(counter) ?? 0n) : 0n
    return { counter, amount: spent > own ? spent - own : 0n }
  })
}

/** The counters of sessions; a session that spent nothing has none. */
export async function countersOf(
  sql: Queryable,
  sessionIds: readonly string[],
): Promise<Map<string, SessionCounter[]>> {
  const bySession = new Map<string, SessionCounter[]>()
  if (sessionIds.length === 0) return bySession
  for (const { sessionId, ...counter } of await budgetsStore.ofSessions(sql, sessionIds)) {
    const known = bySession.get(sessionId)
    if (known === undefined) bySession.set(sessionId, [counter])
    else known.push(counter)
  }
  return bySession
}

const nothingReserved = { reservation: 'none', amounts: new Map<string, bigint>() } as const

/** Adds what a reserved signature costs now beyond its reservation. */
function addMore(
  counters: SessionCounter[],
  { counter, amount }: Spend,
  reserved: ReadonlyMap<string, bigint>,
): void {
  const more = amount - (reserved.get(counter) ?? 0n)
  if (more <= 0n) return
  const found = counters.find((one) => one.counter === counter)
  if (found === undefined) counters.push({ counter, spent: 0n, reserved: more })
  else found.reserved += more
}

function reservationOf({ sessionId, digest, spends, isAgain = false, under }: Wanted): WantedReservation {
  const costs = spends.map((spend): CounterCost => {
    const { counter, amount } = spend
    return { counter, amount, cap: lowestCap(spend) }
  })
  const { policyVersion, rulesVersion, agentVersion } = under
  return { policyVersion, rulesVersion, agentVersion, sessionId, digest, holders: 1, isAgain, costs }
}
