import type { Refusal, Spend } from '@symbolon/policy'
import { coalesce } from '../../../db/coalesce.ts'
import type { Sql } from '../../../db/pool.ts'
import type { PolicyVersions } from '../evaluation/policy-versions.ts'
import {
  budgetsStore,
  type CounterCost,
  type Hold,
  type Standing,
  type WantedReserve,
} from './budgets.store.ts'
import { overCap } from './over-cap.ts'

/** What signatures of sessions cost, exactly, whoever asks at the same time. Amounts in the smallest unit. */
export type Budgets = {
  /**
   * Holds what a signature (`digest`, hex) costs, or answers which cap that would go over. What is held or spent for the same
   * bytes already is not counted again. `stale`: rules or policy have changed since it was judged; nothing is held.
   */
  reserve(wanted: WantedSpend & { under: PolicyVersions }): Promise<Refusal | 'stale' | undefined>
  /** Gives a hold back: only for who knows for certain that no signature was made. */
  release(sessionId: string, digest: string): Promise<void>
  /** Which cap the signature would go over now; nothing is held. */
  look(wanted: WantedSpend): Promise<{ refusal: Refusal | undefined; standings: Standing[]; hold: Hold }>
  /** The counters of sessions; one that spent nothing has none. */
  of(sessionIds: readonly string[]): Promise<Map<string, Standing[]>>
}

/** A signature's costs; `isAgain`: they are held, and are looked at again under other caps. */
export type WantedSpend = { sessionId: string; digest: string; spends: readonly Spend[]; isAgain?: boolean }

type Judged = WantedSpend & { under: PolicyVersions }

const wantedMax = 256

/** The budgets in the database; reservations of concurrent requests are one statement. */
export function budgets(sql: Sql): Budgets {
  const reserve = coalesce<Judged, Refusal | 'stale' | undefined>({
    run: reserveAll,
    batchMax: wantedMax,
    inFlightMax: 1,
  })

  async function reserveAll(batch: Judged[]): Promise<(Refusal | 'stale' | undefined)[]> {
    const wanted = new Map<string, WantedReserve & { first: Judged }>()
    const keys = batch.map((one) => {
      const { policyVersion, rulesVersion, agentVersion } = one.under
      const versions = `${policyVersion} ${rulesVersion} ${agentVersion}`
      const key = `${one.sessionId} ${one.digest} ${versions} ${one.isAgain === true}`
      const same = wanted.get(key)
      if (same === undefined) wanted.set(key, { ...asked(one), first: one })
      else same.holders++
      return key
    })
    const refused = await budgetsStore.reserve(sql, [...wanted.values()])
    const answers = new Map<string, Refusal | 'stale'>()
    for (const [i, [key, { first }]] of [...wanted].entries()) {
      const standings = refused.get(i)
      if (standings === 'stale') answers.set(key, standings)
      else if (standings !== undefined)
        answers.set(key, overCap(first.spends, standings, first.isAgain === true))
    }
    return keys.map((key) => answers.get(key))
  }

  async function of(sessionIds: readonly string[]): Promise<Map<string, Standing[]>> {
    const bySession = new Map<string, Standing[]>()
    if (sessionIds.length === 0) return bySession
    for (const { sessionId, ...standing } of await budgetsStore.ofSessions(sql, sessionIds)) {
      const known = bySession.get(sessionId)
      if (known === undefined) bySession.set(sessionId, [standing])
      else known.push(standing)
    }
    return bySession
  }

  return {
    // Messages cost nothing: the database need not hear of them.
    reserve: async (wanted) => (wanted.spends.length === 0 ? undefined : reserve(wanted)),
    release: (sessionId, digest) => budgetsStore.release(sql, sessionId, digest),
    async look({ sessionId, digest, spends }) {
      const standings = (await of([sessionId])).get(sessionId) ?? []
      const { hold, amounts } =
        spends.length > 0 ? await budgetsStore.holdOf(sql, sessionId, digest) : nothingHeld
      // A cap that came since has to fit it too.
      if (hold === 'held') for (const spend of spends) addMore(standings, spend, amounts)
      const goesOver = spends.some((spend) => {
        const cap = leastCap(spend)
        return cap !== null && sumWith(spend, standings, hold) > cap
      })
      // What is out stays out; what is held has to fit the caps of now.
      const refusal = goesOver && hold !== 'spent' ? overCap(spends, standings, hold === 'held') : undefined
      return { refusal, standings, hold }
    },
    of,
  }
}

const nothingHeld = { hold: 'none', amounts: new Map<string, bigint>() } as const

/** What a signature that is held costs now beyond what was held for it. */
function addMore(standings: Standing[], { counter, amount }: Spend, held: ReadonlyMap<string, bigint>): void {
  const more = amount - (held.get(counter) ?? 0n)
  if (more <= 0n) return
  const standing = standings.find((one) => one.counter === counter)
  if (standing === undefined) standings.push({ counter, spent: 0n, reserved: more })
  else standing.reserved += more
}

/** What a counter has used, reserves included. */
export function usedOf(standings: readonly Standing[], counter: string): bigint {
  const standing = standings.find((one) => one.counter === counter)
  return standing === undefined ? 0n : standing.spent + standing.reserved
}

/** What a counter would have used with a spend; what is held or spent for it is in there already. */
export function sumWith(spend: Spend, standings: readonly Standing[], hold: Hold): bigint {
  const used = usedOf(standings, spend.counter)
  return hold === 'none' ? used + spend.amount : used
}

/** The least of a spend's caps; null: none. */
export const leastCap = ({ caps }: Spend): bigint | null =>
  caps.reduce<bigint | null>((least, { max }) => (least === null || max < least ? max : least), null)

function asked({ sessionId, digest, spends, isAgain = false, under }: Judged): WantedReserve {
  const costs = spends.map((spend): CounterCost => {
    const { counter, amount } = spend
    return { counter, amount, cap: leastCap(spend) }
  })
  const { policyVersion, rulesVersion, agentVersion } = under
  return { policyVersion, rulesVersion, agentVersion, sessionId, digest, holders: 1, isAgain, costs }
}
