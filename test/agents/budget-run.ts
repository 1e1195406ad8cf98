import { randomInt } from 'node:crypto'
import type { ApiProcess, PlatformProcesses } from '@symbolon/testing/platform'
import { secret } from '@symbolon/testing/platform'
import type { Payments } from './budget-fixture.ts'

/**
 * What clients saw of one kind: signatures of different requests, refusals for the total, requests that the platform had no time to answer
 * (503), and requests whose connection was lost.
 */
export type Seen = {
  payments: Payments
  signed: Set<number>
  refused: number
  failed: number
  unanswered: number
  requests: number
}

export type RunOptions = {
  /** How many different requests there are for each unit of the budget. */
  demand: number
  /** How often each of them is sent, to different processes at the same time. */
  copies: number
  /** Requests under way per process. */
  parallel: number
}

/**
 * Spends more than there is, from all processes and of all kinds at once. A request that is answered 503 is sent again, as clients do: so
 * many at once are answered late on a slow machine. Answers what was seen; anything but a signature, the total's refusal, a 503 or a lost
 * connection throws.
 */
export async function spendAll(
  platform: PlatformProcesses,
  all: readonly Payments[],
  { demand, copies, parallel }: RunOptions,
): Promise<Seen[]> {
  const seen = all.map(
    (payments): Seen => ({
      payments,
      signed: new Set(),
      refused: 0,
      failed: 0,
      unanswered: 0,
      requests: 0,
    }),
  )
  const jobs = seen.flatMap((one) =>
    Array.from({ length: Math.ceil(one.payments.units * demand) }, (_, request) => ({
      one,
      request,
      body: one.payments.next(),
    })),
  )
  shuffle(jobs)
  const queue = jobs.flatMap((job) => Array.from({ length: copies }, () => job))
  let next = 0
  const work = async (api: ApiProcess) => {
    for (let job = queue[next++]; job !== undefined; job = queue[next++]) {
      const { one, request, body } = job
      one.requests++
      const answer = await sign(api, one.payments.token, body)
      if (answer === undefined) one.unanswered++
      else if (answer.status === 200) one.signed.add(request)
      else if (answer.status === 403 && /"(?:total|token)_cap_exceeded"/.test(answer.text)) one.refused++
      else if (answer.status === 503) {
        one.failed++
        queue.push(job)
      } else throw new Error(`${one.payments.kind}: ${answer.status} ${answer.text}`)
    }
  }
  await Promise.all(platform.apis.flatMap((api) => Array.from({ length: parallel }, () => work(api))))
  return seen
}

/** Signs new requests, one after the other, until the budget has nothing left; answers how many it took. */
export async function drain(api: ApiProcess, { token, units, next }: Payments): Promise<number> {
  for (let count = 0; count <= units; count++) {
    const answer = await sign(api, token, next())
    if (answer?.status === 403) return count
    if (answer?.status !== 200) throw new Error(`The drain was answered ${answer?.text}`)
  }
  throw new Error('More was signed than the budget has units.')
}

async function sign(api: ApiProcess, token: string, body: object) {
  try {
    return await api.call('/v1/agents/me/sign', { method: 'POST', headers: secret(token), body })
  } catch {
    // The process died, or is not up again.
    await new Promise((resolve) => setTimeout(resolve, 20))
    return undefined
  }
}

/** A session's counter and events as the database has them. */
export async function booksOf(
  { sql }: Pick<PlatformProcesses, 'sql'>,
  { sessionId, counter, unit }: Payments,
) {
  const counters = await sql<{ spent: string; reserved: string }[]>`
    select spent::text, reserved::text from agent_counters where session_id = ${sessionId} and counter = ${counter}`
  const [row = { spent: '0', reserved: '0' }] = counters
  const held = await sql<{ spent: number; reserved: number }[]>`
    select count(*) filter (where is_spent)::int as spent, count(*) filter (where not is_spent)::int as reserved
    from agent_reservations where session_id = ${sessionId}`
  const events = await sql<{ all: number; allowed: number; dense: boolean; tallied: number }[]>`
    select count(*)::int as "all", count(*) filter (where outcome = 0)::int as allowed,
      coalesce(max(n), 0) = count(*) and coalesce(min(n), 1) = 1 as dense,
      (select allowed + rejected + failed from agent_tallies where owner = ${sessionId})::int as tallied
    from agent_events where session_id = ${sessionId}`
  return {
    spent: Number(BigInt(row.spent) / unit),
    reserved: Number(BigInt(row.reserved) / unit),
    reservations: held[0],
    events: events[0],
  }
}

function shuffle(items: unknown[]): void {
  for (let i = items.length - 1; i > 0; i--) {
    const j = randomInt(i + 1)
    ;[items[i], items[j]] = [items[j], items[i]]
  }
}
